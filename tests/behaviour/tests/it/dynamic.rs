//! Run-time templates render like the same template in the source code.

use std::collections::{BTreeMap, HashMap, HashSet};

use typed_prompt::jinja::ToValue;
use typed_prompt::{Dynamic, Fields, History, Media, Prompt, Tool, Trusted};

#[derive(Prompt, Fields)]
#[prompt(
    template = "<system><product></system><user><for p in passages><p></for><if note><note></if><question></user>",
    format = chatml
)]
pub(crate) struct Ask {
    #[prompt(trusted)]
    pub(crate) product: &'static str,
    pub(crate) passages: Vec<String>,
    pub(crate) note: Option<String>,
    pub(crate) question: String,
}

/// `loop.previtem`, `loop.nextitem`, `loop.changed` and `loop.cycle`, with the output of Jinja2.
#[test]
fn variables_of_a_loop() {
    macro_rules! same {
        ($($template:literal => $expected:literal,)*) => {$({
            #[derive(Prompt, Fields)]
            #[prompt(user = $template, syntax = "jinja")]
            struct Looped {
                people: Vec<Person>,
                tags: Vec<&'static str>,
            }
            let looped = Looped { people: people(), tags: vec!["a", "a", "b"] };
            assert_eq!(looped.messages().unwrap()[0].text(), $expected, "{}", $template);
            let live = Dynamic::<Looped>::parse($template).unwrap_or_else(|error| panic!("{error:#}"));
            assert_eq!(live.messages(&looped).unwrap(), looped.messages().unwrap(), "{}", $template);
        })*};
    }
    same! {
        "{% for p in people %}{% if loop.previtem is defined %}{{ loop.previtem.name }}<{% endif %}{{ p.name }}{% endfor %}{{ tags | join }}"
            => "AdaAda<boaab",
        "{% for p in people %}{{ p.name }}{% if loop.nextitem is defined %}, then {{ loop.nextitem.name }}; {% else %}.{% endif %}{% endfor %}{{ tags | join }}"
            => "Ada, then bo; bo.aab",
        "{% for p in people %}{% if loop.previtem is defined and loop.previtem.age > p.age %}v{% endif %}{{ p.age }}{% endfor %}{{ tags | join }}"
            => "36v7aab",
        "{% for t in tags %}{{ loop.previtem | default('-') }}{{ t }}{{ loop.nextitem | default('-') }} {% endfor %}{{ people[0].name }}"
            => "-aa aab ab- Ada",
        "{% for t in tags | map('upper') %}{{ loop.previtem | default('-') }}{{ t }}{{ loop.nextitem if loop.nextitem is defined else '-' }} {% endfor %}{{ people[0].name }}"
            => "-AA AAB AB- Ada",
        "{% for t in tags %}{% if loop.changed(t) %}{{ t }}{% endif %}{% endfor %}{% for p in people %}{{ loop.changed(p.age > 1, p.name | length > 9) }}{% endfor %}"
            => "abTrueFalse",
        "{% for t in tags %}{{ t }}{% if not loop.nextitem %}.{% endif %}{% endfor %}{{ people[0].name }}"
            => "aab.Ada",
        "{% for t in tags %}{% for p in people %}{{ loop.depth }}{{ loop.depth0 }}{{ p.age > 9 }}{% endfor %}{{ t }}{% endfor %}"
            => "10True10Falsea10True10Falsea10True10Falseb",
        "{% for t in tags if t %}{{ loop.cycle('x', 'y') }}{{ loop.revindex }}{{ loop.depth }}{% endfor %}{{ people[1].age }}"
            => "x31y21x117",
        "{% for _t in tags %}{% for _p in people %}{% if loop.previtem is defined %}{{ loop.previtem.name }}{% endif %}{% endfor %}{% if loop.previtem is defined %}{{ loop.previtem }}{% endif %} {% endfor %}"
            => "Ada Adaa Adaa ",
    }
}

#[derive(Prompt, Fields)]
#[prompt(
    user = "<if n>n=<n>;</if><if not n>none;</if><if n and b>b=<b>;</if><if n><if n>more</if></if>"
)]
struct Given {
    n: Option<u8>,
    b: Option<bool>,
}

#[test]
fn an_option_counts_as_there_if_it_is_some() {
    let template =
        "<if n>n=<n>;</if><if not n>none;</if><if n and b>b=<b>;</if><if n><if n>more</if></if>";
    let live = Dynamic::<Given>::parse(template).unwrap();
    for (n, b, expected) in [
        (Some(0), Some(false), "n=0;b=false;"),
        (Some(1), None, "n=1;more"),
        (None, Some(true), "none;"),
    ] {
        let given = Given { n, b };
        assert_eq!(given.messages().unwrap()[0].text(), expected);
        assert_eq!(live.messages(&given).unwrap()[0].text(), expected);
    }
}

#[derive(Prompt, Fields)]
#[prompt(file = "tests/it/prompts/live.prompt")]
pub(crate) struct Live {
    pub(crate) people: Vec<Person>,
    pub(crate) note: Option<String>,
    pub(crate) data: serde_json::Value,
}

pub(crate) fn live() -> Live {
    Live {
        people: people(),
        note: None,
        data: serde_json::json!({"n": 2}),
    }
}

/// The messages of a compiled prompt are those of its own template read at run time.
fn check<P: Fields>(template: &str, prompt: &P) {
    let live =
        Dynamic::<P>::parse(template).unwrap_or_else(|error| panic!("{template}\n{error:#}"));
    let compiled = prompt.messages().unwrap();
    let dynamic = live.messages(prompt);
    let dynamic = dynamic.unwrap_or_else(|error| panic!("{template}\n{error:#}"));
    assert_eq!(compiled, dynamic, "{template}");
    assert_eq!(
        prompt.messages_with_answer().unwrap(),
        live.fill(prompt).messages_with_answer().unwrap(),
        "{template}"
    );
}

/// A prompt of a template, and the same template at run time.
macro_rules! same {
    ($($name:ident $syntax:literal $template:literal { $($(#[$key:meta])* $field:ident: $ty:ty = $value:expr),* $(,)? })*) => {$(
        #[test]
        fn $name() {
            #[derive(Prompt, Fields)]
            // Skipped fields are never read.
            #[allow(dead_code)]
            #[prompt(template = $template, syntax = $syntax)]
            struct Ask { $($(#[$key])* $field: $ty),* }

            check($template, &Ask { $($field: $value),* });
        }
    )*};
}

#[derive(ToValue)]
pub(crate) struct Person {
    name: &'static str,
    age: u8,
    nick: Option<&'static str>,
}

pub(crate) fn people() -> Vec<Person> {
    vec![
        Person {
            name: "Ada",
            age: 36,
            nick: None,
        },
        Person {
            name: "bo",
            age: 7,
            nick: Some("B"),
        },
    ]
}

#[derive(Fields, ToValue)]
pub(crate) struct Order {
    pub(crate) number: u32,
    pub(crate) items: Vec<Item<'static, &'static str>>,
    pub(crate) discount: Option<Discount>,
    pub(crate) code: Option<String>,
    pub(crate) tree: Tree,
}

#[derive(Fields, ToValue)]
pub(crate) struct Item<'a, T> {
    pub(crate) name: &'a str,
    pub(crate) note: Option<T>,
    pub(crate) tags: Vec<String>,
}

#[derive(Fields, ToValue)]
pub(crate) struct Discount {
    pub(crate) percent: u8,
}

/// A type that contains itself.
#[derive(Fields, ToValue)]
pub(crate) struct Tree {
    pub(crate) name: &'static str,
    pub(crate) children: Vec<Tree>,
    pub(crate) parent: Option<Box<Tree>>,
}

fn order() -> Order {
    let leaf = |name| Tree {
        name,
        children: vec![],
        parent: None,
    };
    Order {
        number: 7,
        items: vec![
            Item {
                name: "ink",
                note: None,
                tags: vec!["a".into(), "b".into()],
            },
            Item {
                name: "pen",
                note: Some("blue"),
                tags: vec![],
            },
        ],
        discount: Some(Discount { percent: 5 }),
        code: None,
        tree: Tree {
            name: "root",
            children: vec![leaf("left")],
            parent: Some(Box::new(leaf("up"))),
        },
    }
}

#[derive(Fields, ToValue)]
struct Tables {
    hash: HashMap<String, String>,
    optional: Option<HashMap<String, String>>,
    rows: Vec<HashMap<String, String>>,
    set: HashSet<String>,
    options: BTreeMap<String, Option<String>>,
}

/// A hash map inside of a value is sorted, and what a map contains is only known when the template is rendered.
#[test]
fn maps_inside_of_values() {
    macro_rules! check {
        ($($syntax:literal $own:literal [$($template:literal => $expected:literal,)*])*) => {$({
            #[derive(Prompt, Fields)]
            #[prompt(user = $own, syntax = $syntax)]
            struct Ask {
                tables: Tables,
                rows: Vec<HashMap<String, String>>,
            }
            let row = || HashMap::from([("b".into(), "2".into()), ("a".into(), "1".into())]);
            let ask = Ask {
                tables: Tables {
                    hash: row(),
                    optional: Some(row()),
                    rows: vec![row()],
                    set: HashSet::from(["y".into(), "x".into()]),
                    options: BTreeMap::from([("a".into(), Some("1".into())), ("b".into(), None)]),
                },
                rows: vec![row()],
            };
            for (template, expected) in [$(($template, $expected)),*] {
                let live = Dynamic::<Ask>::parse(template).unwrap_or_else(|error| panic!("{template}\n{error:#}"));
                assert_eq!(live.messages(&ask).unwrap()[0].text(), expected, "{template}");
            }
        })*};
    }
    check! {
        "jinja" "{{ rows | length }}{{ tables.rows | length }}" [
            "{{ tables.hash.a }}{% for row in tables.rows %}{{ row.b }}{% endfor %}{% for row in rows %}{{ row }}{% endfor %}" => "12{'a': '1', 'b': '2'}",
            "{% if tables.optional %}{{ tables.optional.a }}{% endif %}{{ tables.set | join }}{{ rows[0].a }}" => "1xy1",
            "{% if tables.options.a %}{{ tables.options.a | int + 1 }}{% endif %}{{ tables.options['b'] or '-' }}{{ rows | length }}" => "2-1",
        ]
        "angle" "<if rows>x</if><for _row in tables.rows>x</for>" [
            "<tables.hash.a><for row in tables.rows><row.b></for><for row in rows><row | json></for>" => "12{\"a\":\"1\",\"b\":\"2\"}",
            "<tables.hash | json><for key, value in tables.hash><key><value></for><for row in rows><row.a></for>" => "{\"a\":\"1\",\"b\":\"2\"}a1b21",
            "<if tables.optional><tables.optional.a></if><tables.set | join(',')><for row in rows><row.a></for>" => "1x,y1",
        ]
    }
}

fn turns() -> History {
    use typed_prompt::history::ToHistory;
    History::from([("Hi", "Hello")].to_history().unwrap().into_owned())
}

same! {
    angle_words "angle" "Only words. <b>bold</b> \\<x>" {}
    angle_slot "angle" "Say <input:word> and <word>." { word: &'static str = "<word>" }
    angle_numbers "angle" "<a> <b> <c> <d>" { a: u64 = u64::MAX, b: f64 = 1.0, c: bool = true, d: char = 'é' }
    angle_roles "angle" "<system>For <product>.</system>\n<user>Q: <q></user><assistant>A</assistant><user>More</user>" {
        #[prompt(trusted)] product: &'static str = "Acme",
        q: String = "Why?".into(),
    }
    angle_loop "angle" "<for p in passages>- <p>\n<else>none</for>." { passages: Vec<&'static str> = vec!["a", "<b>"] }
    angle_empty_loop "angle" "<for p in passages>- <p>\n<else>none</for>." { passages: Vec<&'static str> = vec![] }
    angle_loop_of_structs "angle" "<for p in people><p.name> is <p.age>. </for>" { people: Vec<Person> = people() }
    angle_nested "angle" "<order.number> <for i in order.items><i.name><if i.note> (<i.note>)</if> <i.tags | join('+')><for t in i.tags>[<t>]</for>. </for><if order.discount and order.discount.percent == 5><order.discount.percent>%</if><order.code ?? 'none' ><order.code | upper ?? 'no'><if not order.code>no code</if>" {
        order: Order = order(),
    }
    angle_recursive "angle" "<order.tree.name> <for t in order.tree.children><t.name><for u in t.children><u.name></for></for><if order.tree.parent><order.tree.parent.name></if>" {
        order: Order = order(),
    }
    jinja_nested "jinja" "{{ order.number }} {% for i in order.items if i.note %}{{ i.name }} {{ i.note if i.note else 1 }}{{ loop.previtem.name if loop.previtem else '-' }}{% endfor %}{% if order.discount %}{{ order.discount.percent + 1 }}{% endif %}{% for i in order.items | selectattr('note') %}{{ 'x' if i.name }}{% endfor %}{{ order.items | length }}{{ order.number | default(1) }}" {
        order: Order = order(),
    }
    angle_condition "angle" "<if context>With <context>.<else if not n>No n.<else>Neither.</if>" {
        context: Option<&'static str> = None,
        n: u8 = 0,
    }
    angle_and "angle" "<if a and b><a><b></if><if a or c>or</if>" {
        a: Option<&'static str> = Some("A"),
        b: Option<String> = Some("B".into()),
        c: bool = false,
    }
    angle_default "angle" "<a ?? \"none\"> <b ?? 'none'> <c | upper ?? 'no'>" {
        a: Option<&'static str> = None,
        b: Option<&'static str> = Some("b"),
        c: Option<&'static str> = None,
    }
    angle_filters "angle" "<docs | join(', ') | upper> <t | trim | truncate(4)> <t | indent(2)> <docs | json> <t | lines>" {
        docs: Vec<&'static str> = vec!["a", "b"],
        t: &'static str = "  one\ntwo  ",
    }
    angle_lines "angle" "<for line in t | lines>> <line>\n</for>" { t: &'static str = "one\ntwo" }
    angle_trusted "angle" "<system><a></system><user><b></user>" { a: Trusted<&'static str> = Trusted("x"), b: u8 = 1 }
    brace_slots "brace" "{a} {input:b} {{a}} { not } {\"json\": 1}" { a: &'static str = "{b}", b: i32 = -1 }
    history_before_the_question "angle" "<system>S</system><user><q></user>" {
        #[prompt(history)] history: History = turns(),
        q: &'static str = "Q",
    }
    history_where_it_is_named "angle" "<system>S</system><history><user>one</user><user><q></user>" {
        #[prompt(history)] history: History = turns(),
        q: &'static str = "Q",
    }
    tools_and_extra "angle" "<user><q></user>" {
        #[prompt(tools, trusted)] tools: Vec<Tool> = vec![Tool::new("add")],
        #[prompt(extra = "Notes")] notes: Option<&'static str> = Some("n"),
        #[prompt(skip)] id: u8 = 1,
        q: &'static str = "Q",
    }
    media "angle" "<user>Look: <photo> <q></user>" { photo: Media = Media::image_url("https://example.com/a.png"), q: &'static str = "Q" }
    media_or_none "angle" "<user><if photo><photo><else>no photo</if></user>" { #[prompt(media)] photo: Option<Media> = None }
    answer "angle" "<user><q></user><assistant><a></assistant>" { q: &'static str = "Q", #[prompt(answer)] a: &'static str = "A" }
    jinja_slots "jinja" "{{ a }} {{ b }} {{ c }} {{ d }} {{ e }} {# no #}{% raw %}{{ a }}{% endraw %}\n" {
        a: &'static str = "{{ b }}", b: u32 = 7, c: bool = true, d: f64 = 1e16, e: Vec<&'static str> = vec!["it's", "b"],
    }
    jinja_literals "jinja" "{{ 'a' }}{{ 1 }}{{ 1.0 }}{{ true }}{{ none }}{{ [1, 'a'] }}{{ (1,) }}{{ {'k': 1} }}" {}
    jinja_operators "jinja" "{{ n + 1 }} {{ n / 2 }} {{ n // 2 }} {{ -n % 5 }} {{ n ** 2 }} {{ 'n=' ~ n ~ t }} {{ n == 7 and t != 'x' }}" {
        n: i64 = 7, t: &'static str = "T",
    }
    jinja_chains "jinja" "{{ 1 < n <= 7 }} {{ 'e' in t }} {{ 3 not in [1, 2] }} {{ not t }} {{ t or 'x' }} {{ t and n }}" {
        n: i64 = 7, t: &'static str = "Te",
    }
    jinja_tests "jinja" "{{ n is odd }} {{ n is divisibleby(7) }} {{ o is none }} {{ o is defined }} {{ t is string }} {{ n is not even }}" {
        n: i64 = 7, t: &'static str = "Te", o: Option<&'static str> = None,
    }
    jinja_filters "jinja" "{{ t | upper | replace('T', 'L') }} {{ l | join(', ') }} {{ l | sort(reverse=true) | first }} {{ l | length }} {{ t | truncate(4, true, '~', 0) }} {{ l | tojson }}" {
        t: &'static str = "test words", l: Vec<&'static str> = vec!["b", "A", "c"],
    }
    jinja_default "jinja" "{{ o | default('none') }} {{ p | default('none') | upper }} {{ o | default(t) }}" {
        t: &'static str = "T", o: Option<&'static str> = None, p: Option<&'static str> = Some("p"),
    }
    jinja_slices "jinja" "{{ t[1:3] }} {{ t[::-1] }} {{ l[0] }} {{ l[-1] }} {{ l[1:] }} {{ t.upper() }} {{ t.split('e') }}" {
        t: &'static str = "tést words", l: Vec<&'static str> = vec!["b", "A", "c"],
    }
    jinja_conditions "jinja" "{% if o %}{{ o }}{% elif n > 5 %}big{% else %}none{% endif %}{% if not p %}x{% else %}{{ p }}{% endif %}{{ p if p else '-' }}" {
        n: i64 = 7, o: Option<&'static str> = None, p: Option<&'static str> = Some("p"),
    }
    jinja_loops "jinja" "{% for p in people if p.age > 6 %}{{ loop.index }}/{{ loop.length }} {{ p.name }}{{ ', ' if not loop.last }}{% else %}none{% endfor %}" {
        people: Vec<Person> = people(),
    }
    jinja_pairs "jinja" "{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}{% for k, v in m | dictsort(reverse=true) %}{{ k ~ v }}{% endfor %}" {
        m: std::collections::BTreeMap<&'static str, i32> = [("a", 1), ("b", 2)].into(),
    }
    jinja_structs "jinja" "{{ people | map(attribute='name') | join(' ') }} {% for p in people | sort(attribute='name') %}{{ p.name }}{% endfor %} {% for p in people | selectattr('nick') %}{{ p.name }}{% endfor %}" {
        people: Vec<Person> = people(),
    }
    jinja_set "jinja" "{% set x = t | upper %}{{ x }}{% set y %}<{{ t }}>{% endset %}{{ y | lower }}{% if n %}{% set x = 'new' %}{% endif %}{{ x }}{% for i in range(2) %}{% set x = i %}{{ x }}{% endfor %}{{ x }}" {
        t: &'static str = "Te", n: i64 = 7,
    }
    jinja_with "jinja" "{% with a = t, b = 2 %}{{ a }}{{ b }}{% endwith %}{% filter upper %}x{{ t }}{% endfilter %}" { t: &'static str = "Te" }
    jinja_macros "jinja" "{% macro card(a, b='B', c=none) %}[{{ a }}|{{ b }}{% if c %}|{{ c }}{% endif %}]{% endmacro %}{{ card(t) }}{{ card('x', b=t, c=1) | lower }}" {
        t: &'static str = "Te",
    }
    jinja_white_space "jinja" "a  {%- if n %}\n  b {{- n -}}  \n{% endif %}  c\n\n" { n: i64 = 7 }
    jinja_roles "jinja" "{% set who = product | upper %}{% system %}You are {{ who }}.{% endsystem %}\n{% user %}{{ q }} to {{ who }}{% enduser %}" {
        #[prompt(trusted)] product: &'static str = "Acme", q: &'static str = "Q",
    }
    jinja_json "jinja" "{{ j.a.b[0] }} {{ j | tojson }} {{ j.missing | default('-') }}" {
        j: serde_json::Value = serde_json::json!({"a": {"b": ["x", 2]}}),
    }
}

/// A value is never read again, and stays data.
#[test]
fn values_stay_data() {
    #[derive(Prompt, Fields)]
    #[prompt(template = "{{ word ~ '!' }}", syntax = "jinja")]
    struct Word {
        word: &'static str,
    }
    let file = Dynamic::<Word>::parse("{{ word | upper ~ '!' }}{% set x = word %}{{ x }}").unwrap();
    let word = "{{ word }}<word>";
    let messages = file.messages(&Word { word }).unwrap();
    let text = messages[0].texts().next().unwrap();
    assert_eq!(text.as_str(), "{{ WORD }}<WORD>!{{ word }}<word>");
    assert_eq!(text.data()[0].slot, Some("word"));
    assert_eq!(
        (text.data()[0].range.clone(), text.data()[1].range.clone()),
        (0..16, 17..33)
    );
}

/// A mistake that depends on the values is an error of `messages`, with its position in the template.
#[test]
fn faults() {
    let said = |template: &str| {
        let file = Dynamic::<Live>::parse(template).unwrap_or_else(|error| panic!("{error:#}"));
        let error = file.messages(&live()).unwrap_err();
        format!("{error:#}")
    };
    let rest = "{{ people | length }}{{ note | default('') }}";
    for (slot, message) in [
        ("{{ data.n / 0 }}", "division by zero"),
        ("{{ data.missing }}", "a dict has no `missing`"),
        ("{{ data.missing.more }}", "a dict has no `missing`"),
        (
            "{{ data.n + 'x' }}",
            "`+` cannot work on a whole number and text",
        ),
        (
            "{% for x in data.n %}{{ x }}{% endfor %}",
            "`data.n` is a whole number, not a list",
        ),
        (
            "{% for a, b in [data] %}{{ a }}{{ b }}{% endfor %}",
            "2 names take 1 value",
        ),
        (
            "{{ people | sort }}",
            "`<` cannot compare a dict with a dict",
        ),
        (
            "{% if data.missing %}x{% endif %}",
            "a dict has no `missing`",
        ),
        (
            "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(data) }}",
            "the macro `f` calls itself",
        ),
    ] {
        let error = said(&format!("a\n{slot}{rest}{{{{ data }}}}"));
        assert!(error.starts_with(message), "{slot}\n{error}");
        assert!(error.contains("\n2 | "), "{slot}\n{error}");
    }
    let swapped = said(&format!("{{{{ data.n | format('%.2f') }}}}{rest}"));
    let help = "write the pattern before the filter, and the value in parentheses: `'%.2f' | format(value)`";
    assert!(
        swapped.contains("the pattern has 0 places for 1 values"),
        "{swapped}"
    );
    assert!(swapped.contains(help), "{swapped}");
}
