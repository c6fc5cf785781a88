//! The Jinja dialect: what a template gives.

use typed_prompt::Prompt;

/// The text of a prompt, which must have no fault.
#[track_caller]
fn check(prompt: &impl Prompt, expected: &str) {
    let messages = prompt.messages();
    messages.check().unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(messages[0].text(), expected);
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "Hi {{ name }}{% if title %}, {{ title }}{% endif %}. {{ docs[0] | upper }} {{ docs }} {{ n + 1 }} {{ done }} {{ score }}\n{% for p in people %}{{ loop.index }}. {{ p.name }} ({{ p.age }}){% if not loop.last %}, {% endif %}{% else %}nobody{% endfor %}"
)]
struct Ask<'a> {
    name: &'a str,
    title: Option<&'a str>,
    docs: &'a [&'a str],
    n: u32,
    done: bool,
    score: f64,
    people: Vec<Person>,
}

struct Person {
    name: String,
    age: u8,
}

#[test]
fn slots() {
    let people = vec![
        Person {
            name: "Bo".into(),
            age: 3,
        },
        Person {
            name: "Al".into(),
            age: 4,
        },
    ];
    let ask = Ask {
        name: "Ada",
        title: Some("Dr"),
        docs: &["a", "b"],
        n: 1,
        done: true,
        score: 1.0,
        people,
    };
    check(
        &ask,
        "Hi Ada, Dr. A ['a', 'b'] 2 True 1.0\n1. Bo (3), 2. Al (4)",
    );
}
