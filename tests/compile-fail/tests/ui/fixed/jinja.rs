//! Fixes of the mistakes in `ui/jinja`: each compiles.

use std::collections::BTreeMap;

use typed_prompt::{Prompt, prompt};

/// The text of a prompt, which must have no fault.
#[track_caller]
fn check(prompt: &impl Prompt, expected: &str) {
    let messages = prompt.messages().unwrap();
    assert_eq!(messages[0].text(), expected);
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ question }} {{ note | default('no note') }} {% if count %}{{ count + 1 }}{% endif %} \
            {% if user %}{{ user.name }}{% endif %} {% if not tone %}-{% else %}{{ tone }}{% endif %}"
)]
struct Options {
    question: String,
    note: Option<String>,
    count: Option<u32>,
    user: Option<User>,
    tone: Option<&'static str>,
}

struct User {
    name: String,
}

impl typed_prompt::value::Truthy for User {}

#[test]
fn options() {
    let full = Options {
        question: "Why?".into(),
        note: Some("a".into()),
        count: Some(1),
        user: Some(User { name: "Bo".into() }),
        tone: Some("kind"),
    };
    check(&full, "Why? a 2 Bo kind");
    let empty = Options {
        note: None,
        count: None,
        user: None,
        tone: None,
        ..full
    };
    check(&empty, "Why? no note   -");
    let note = Some("b");
    assert_eq!(
        prompt!("{% if note %}{{ note }}{% endif %}", syntax = "jinja").unwrap()[0].text(),
        "b"
    );
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% for line in text.splitlines() %}{{ loop.index }}{{ line }}{% endfor %} \
            {% for i in range(count) %}{{ i }}{% endfor %} {% for _doc in docs %}-{% endfor %} \
            {% for k, v in prices.items() %}{{ k }}{{ v }}{% endfor %} {{ people | map(attribute='age') | max }}"
)]
struct Lists {
    text: String,
    count: u32,
    docs: Vec<String>,
    prices: BTreeMap<String, u32>,
    people: Vec<Person>,
}

struct Person {
    age: u8,
}

#[test]
fn lists() {
    let lists = Lists {
        text: "a\nb".into(),
        count: 2,
        docs: vec!["x".into(), "y".into()],
        prices: BTreeMap::from([("tea".into(), 3)]),
        people: vec![Person { age: 3 }, Person { age: 30 }],
    };
    check(&lists, "1a2b 01 -- tea3 30");
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% set loud = text | upper %}{{ loud }} {{ text | replace('a', 'b') | truncate(3, leeway=0) }} {{ text ~ 1 }} \
            {% if text | int == 1 %}one{% endif %} {{ docs | join(', ') }} {{ docs | map('upper') | first }} {{ docs[0] }} \
            {% if hot %}{% set word = 'hot' %}{% else %}{% set word = 'cold' %}{% endif %}{{ word }} \
            {% macro card(title, note='') %}<{{ title }}{{ note }}>{% endmacro %}{{ card(text, note='!') }} \
            {% filter wordcount | string %}{{ text }}{% endfilter %}"
)]
struct Words {
    text: String,
    docs: Vec<String>,
    hot: bool,
}

#[test]
fn words() {
    let words = Words {
        text: "a1".into(),
        docs: vec!["x".into(), "y".into()],
        hot: false,
    };
    check(&words, "A1 b1 a11  x, y X x cold <a1!> 1");
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    system = "{% set loud = tone | upper %}Be {{ loud }}.",
    user = "{% include 'tests/ui/prompts/jinja_right.prompt' %}{{ text }}"
)]
struct Parts {
    #[prompt(trusted)]
    tone: String,
    name: String,
    text: String,
}

#[test]
fn parts() {
    let parts = Parts {
        tone: "kind".into(),
        name: "Ada".into(),
        text: "hi".into(),
    };
    assert_eq!(parts.messages().unwrap()[0].text(), "Be KIND.");
    assert_eq!(parts.messages().unwrap()[1].text(), "Dear Ada,hi");
}

/// `== null`, `tojson | e` and `(x | e) + y`
#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% if due is none %}no date{% endif %} {{ title | tojson | forceescape }} {{ (title | e) ~ title }} {{ 'JSON: ' + title | tojson + '.' }}"
)]
struct Escaped {
    title: &'static str,
    due: Option<u8>,
}

#[test]
fn escapes() {
    let (title, due) = ("<", None);
    check(
        &Escaped { title, due },
        "no date &#34;\\u003c&#34; &lt;< JSON: \"\\u003c\".",
    );
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ '%.2f' | format(price) }} {{ '%.1f' | format(text | float) }}{% for i in range(1, n + 1) %} {{ i }}{% endfor %}"
)]
struct Formatted {
    price: f64,
    text: String,
    n: u32,
}

#[test]
fn patterns_and_ranges() {
    let formatted = Formatted {
        price: 3.5,
        text: "2".into(),
        n: 2,
    };
    check(&formatted, "3.50 2.0 1 2");
}
