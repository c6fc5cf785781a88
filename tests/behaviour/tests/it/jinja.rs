//! The Jinja dialect: output of templates.

mod sources;

use std::collections::BTreeMap;

use typed_prompt::{ErrorKind, Prompt, jinja::ToValue, message::Json};

/// The text of a prompt, which must have no fault.
#[track_caller]
fn check(prompt: &impl Prompt, expected: &str) {
    let messages = prompt.messages().unwrap();
    assert_eq!(messages[0].text(), expected);
}

/// One prompt for each line: its keys, its fields with their values, and its text.
macro_rules! renders {
    ($($name:ident($($keys:tt)*) { $($field:ident: $ty:ty = $value:expr),* $(,)? } => $expected:expr;)*) => {$(
        #[test]
        fn $name() {
            #[derive(Prompt)]
            #[prompt(syntax = "jinja", $($keys)*)]
            struct Case {
                $($field: $ty),*
            }
            check(&Case { $($field: $value),* }, $expected);
        }
    )*};
}

struct Person {
    name: &'static str,
    age: u8,
    nick: Option<&'static str>,
    tags: Vec<&'static str>,
    home: Place,
}

struct Place {
    city: String,
}

#[derive(ToValue)]
struct Sale {
    region: &'static str,
    customer: &'static str,
}

fn sales() -> Vec<Sale> {
    let sale = |(region, customer)| Sale { region, customer };
    [("S", "Bo"), ("N", "Ada"), ("S", "Cy")].map(sale).into()
}

fn people() -> Vec<Person> {
    let person = |name, age, nick, tags: &[&'static str], city: &str| Person {
        name,
        age,
        nick,
        tags: tags.to_vec(),
        home: Place {
            city: city.to_owned(),
        },
    };
    vec![
        person("Bo", 30, Some("B"), &["x", "y"], "Rome"),
        person("ada", 9, None, &[], "Oslo"),
        person("Cy", 30, None, &["z"], "Bonn"),
    ]
}

#[derive(Prompt)]
#[prompt(fragment = "<title><if year> (<year>)</if>")]
struct Book {
    title: &'static str,
    year: Option<u16>,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    fragment = "{{ title | upper }}{% if year %} ({{ year }}){% endif %}"
)]
struct Loud {
    title: &'static str,
    year: Option<u16>,
}

renders! {
    layout_and_backslashes_are_text(user = r"
a\n{{ q }}
  c") { q: &'static str = "b" } => "\na\\nb\n  c";
    a_plain_prompt_keeps_tokens_of_a_chat_format(user = "[INST] {{ q }} [/INST]\n<<SYS>>", format = plain) { q: &'static str = "Hi" } => "[INST] Hi [/INST]\n<<SYS>>";
    values_print_as_in_python(user = "{{ a }} {{ b }} {{ c }} {{ d }} {{ e }} {{ f }} {{ g }}") {
        a: bool = true, b: f64 = 1.0, c: Vec<Option<&'static str>> = vec![Some("it's"), None],
        d: BTreeMap<&'static str, i32> = BTreeMap::from([("k", 1)]), e: (u8, char) = (1, 'x'), f: i128 = -5, g: f32 = 0.1
    } => "True 1.0 [\"it's\", None] {'k': 1} (1, 'x') -5 0.1";
    json_is_what_it_holds(user = "{{ j.a[1].b }} {{ j['c'] }} {{ j.missing | default('-') }} {{ j.n }}") {
        j: Json = Json::parse(r#"{"a": [0, {"b": 2.5}], "c": true, "n": null}"#).unwrap()
    } => "2.5 True - None";
    a_path_is_a_rust_place(user = "{{ p.name }} {{ p.home.city | upper }} {{ p.tags[0] }} {{ p.age + 1 }}") {
        p: Person = people().remove(0)
    } => "Bo ROME x 31";
    an_option_inside_of_conditions(user = "{% if p.nick %}{{ p.nick }}{% endif %}{% if a is not none %}{{ a + 1 }}{% endif %}{% if b is none %}-{% else %}{{ b }}{% endif %}{{ c if c else 'c' }}{{ d | default('d') }}{% if e and e > 1 %}{{ e }}{% endif %}") {
        p: Person = people().remove(0), a: Option<u8> = Some(0), b: Option<&'static str> = Some(""), c: Option<String> = None,
        d: Option<String> = None, e: Option<i64> = Some(2)
    } => "B1cd2";
    a_field_that_a_test_shows(user = "{% for p in people %}{{ p.name }}{% if p.nick is not none %} {{ p.nick | upper }}{% endif %}{% if p.nick is defined %} ({{ p.nick }}){% endif %}{% if p.nick is none %} -{% else %} {{ p.nick }}{% endif %}{% if p.name is not none %} {{ p.name | length }}{% endif %}{% if p.nick is not none and p.nick != 'x' %} {{ p.nick }}{% endif %};{% endfor %}") {
        people: Vec<Person> = people()
    } => "Bo B (B) B 2 B;ada - 3;Cy - 2;";
    a_default_inside_of_a_condition(user = "{% if c %}{{ c | default('x') }}{% endif %}{% if d %}{{ d | default('x') | upper }}{% endif %}") {
        c: Option<&'static str> = Some("a"), d: Option<String> = None
    } => "a";
    an_option_as_a_value(user = "{{ a or 'none' }} {{ a == 'x' }} {{ a is defined }} {{ [a] }} {{ b is defined }}") {
        a: Option<&'static str> = None, b: Option<u8> = Some(0)
    } => "none False False [None] True";
    tests_are_values(user = "{% for p in people %}{{ loop.previtem is defined }} {{ loop.nextitem is not defined }} {{ [p.nick is none, p.tags is sequence, p.home.city is string] }} {{ p.name }};{% endfor %}{{ boss is defined }} {{ boss is none }} {{ words is iterable }} {{ 'a' if more is undefined else 'b' }}") {
        people: Vec<Person> = people(), boss: Option<Person> = None, words: Vec<&'static str> = vec![], more: Option<Vec<u8>> = Some(vec![])
    } => "False False [False, True, True] Bo;True False [True, True, True] ada;True True [True, True, True] Cy;False True True b";
    loops_know_where_they_are(user = "{% for x in xs %}{{ loop.index }}/{{ loop.length }}{{ x }}{{ ', ' if not loop.last }}{% else %}none{% endfor %}{% for _x in no %}{% else %} no{% endfor %}") {
        xs: Vec<&'static str> = vec!["a", "b"], no: [u8; 0] = []
    } => "1/2a, 2/2b no";
    loops_take_items_apart(user = "{% for k, v in prices.items() %}{{ k }}={{ v }};{% endfor %}{% for a, b in pairs %}{{ a }}{{ b }};{% endfor %}{% for c, d in [(1, 'x')] %}{{ c }}{{ d }}{% endfor %}") {
        prices: BTreeMap<String, f64> = BTreeMap::from([("tea".into(), 1.5)]), pairs: Vec<(u8, &'static str)> = vec![(1, "a"), (2, "b")]
    } => "tea=1.5;1a;2b;1x";
    entries_of_a_map_stay_in_rust(user = "{% for id, p in staff.items() %}{{ id }} {{ p.name }} {{ p.home.city }}{% endfor %}") {
        staff: BTreeMap<u32, Person> = BTreeMap::from([(7, people().remove(1))])
    } => "7 ada Oslo";
    filtered_loops(user = "{% for p in people if p.age > 10 %}{{ loop.index }}{{ p.name }}{% if loop.last %}.{% endif %}{% endfor %}{% for n in ns if n is odd %}{{ n }}{% endfor %}") {
        people: Vec<Person> = people(), ns: Vec<i64> = vec![1, 2, 3]
    } => "1Bo2Cy.13";
    lists_of_ones_own_items(user = "{% for p in people | sort(attribute='name') %}{{ p.name }} {% endfor %}{{ people | map(attribute='home.city') | join('+') }} {{ people | selectattr('age', 'ge', 10) | list | length }} {% for p in people | rejectattr('tags') %}{{ p.name }}{% endfor %} {{ people | sum(attribute='age') }} {% for p in people[:2] | reverse %}{{ p.name }}{% endfor %}") {
        people: Vec<Person> = people()
    } => "ada Bo Cy Rome+Oslo+Bonn 2 ada 69 adaBo";
    sorted_by_several_fields(user = "{% for p in people | sort(attribute='age,name') %}{{ p.name }} {% endfor %}{% for p in people | sort(reverse=true, attribute='age,home.city') %}{{ p.name }} {% endfor %}{{ people | sort(attribute='age,name,age') | map(attribute='name') | join }}") {
        people: Vec<Person> = people()
    } => "ada Bo Cy Bo Cy ada adaBoCy";
    groups(user = "{% for age, them in people | groupby('age') %}{{ age }}: {% for p in them %}{{ p.name }}{{ ' ' if not loop.last }}{% endfor %};{% endfor %}") {
        people: Vec<Person> = people()
    } => "9: ada;30: Bo Cy;";
    groups_kept_by_set(user = "{% set groups = sales | groupby('region') %}{% for region, rows in groups %}{{ region }}: {% for s in rows %}{{ s.customer }} {% endfor %}{% endfor %}{{ groups | length }}") {
        sales: Vec<Sale> = sales()
    } => "N: Ada S: Bo Cy 2";
    fragments_fill_slots(user = "{{ one }}, {{ two }}{% for b in more %}, {{ b }}{% endfor %} {{ one | upper }} {{ more | join(' & ') }}") {
        one: Book = Book { title: "A", year: Some(1999) }, two: Loud = Loud { title: "b", year: Some(3) },
        more: Vec<Book> = vec![Book { title: "c", year: None }, Book { title: "d", year: None }]
    } => "A (1999), B (3), c, d A (1999) c & d";
    set_belongs_to_its_block(user = "{% set x = 1 %}{% if hot %}{% set x = x + 1 %}{% endif %}{{ x }}{% for i in [7] %}{% set x = i %}{{ x }}{% endfor %}{{ x }}{% with x = 5, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}") {
        hot: bool = true
    } => "272522";
    set_takes_apart_and_keeps_blocks(user = "{% set a, b = pair %}{{ b }}{{ a }}{% set words | upper %}hi {{ name }}{% endset %}{{ words }} {{ words | length }}{% filter upper %} {{ name }}!{% endfilter %}") {
        pair: (u8, &'static str) = (1, "x"), name: &'static str = "ada"
    } => "x1HI ADA 6 ADA!";
    a_set_may_take_the_name_of_a_field(user = "{{ name }}{% set name = name | upper %}{{ name }}{% if hot %}{% set name = 'hot' %}{% endif %}{{ name }}") {
        name: String = "a".into(), hot: bool = false
    } => "aAA";
    macros_take_typed_arguments(user = "{% macro card(p, mark='-') %}{{ mark }} {{ p.name }}{% if p.nick %} ({{ p.nick }}){% endif %}\n{% endmacro %}{% for p in people %}{{ card(p) }}{% endfor %}{{ card(first, mark='*') | trim | upper }}") {
        people: Vec<Person> = people(), first: Person = people().remove(0)
    } => "- Bo (B)\n- ada\n- Cy\n* BO (B)";
    includes(user = "{% for name in names %}{% include 'tests/it/prompts/greeting.jinja' %}{% endfor %}{{ day }}") {
        names: Vec<&'static str> = vec!["Bo", "Al"], day: &'static str = "Monday"
    } => "Hi Bo, it is Monday.Hi Al, it is Monday.Monday";
    white_space(trim_blocks, lstrip_blocks, keep_trailing_newline = true, user = "A\n  {% if yes %}\n  B\n  {% endif %}\nC {{- d -}} \nE\n") {
        yes: bool = true, d: &'static str = "d"
    } => "A\n  B\nCdE\n";
    white_space_by_default(user = "A\n  {% if yes %}\nB{% endif %}\n{# c #}{% raw %}{{ x }}{% endraw %}\n") {
        yes: bool = true
    } => "A\n  \nB\n{{ x }}";
    keywords_are_names(user = "{{ type }} {{ match | upper }} {{ out }} {{ slot }}{% for empty in xs %}{{ empty }}{% endfor %}") {
        r#type: &'static str = "t", r#match: String = "m".into(), out: u8 = 1, slot: u8 = 2, xs: [u8; 2] = [3, 4]
    } => "t M 1 234";
    words_of_the_template(user = "{{ 'a' }}{{ 1 }}{{ 1.0 }}{{ true }}{{ none }}{{ [1, 'a', (1,)] }}{{ {'k': 1} }}{{ 7 // 2 }}{{ 2 ** 10 }}{{ 'a' if no }}") {
        no: bool = false
    } => "a11.0TrueNone[1, 'a', (1,)]{'k': 1}31024";
}

/// A mistake that depends on the values is an error when the prompt is rendered, with its position in the template.
#[test]
fn faults_of_values() {
    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "Each: {{ total / count }} of {{ data.name }}"
    )]
    struct Share {
        total: u32,
        count: u32,
        data: Json,
    }
    #[track_caller]
    fn check(count: u32, data: &str, expected: &str) {
        let data = Json::parse(data).expect("JSON");
        let messages = Share {
            total: 1,
            count,
            data,
        }
        .messages();
        let error = messages.expect_err("a fault");
        assert_eq!(error.kind(), ErrorKind::Value);
        let drawn = format!("{error:#}");
        assert!(drawn.contains(expected), "{drawn}");
        assert!(drawn.contains("tests/it/jinja.rs:"), "{drawn}");
    }
    check(0, "{\"name\": 1}", "^^^^^^^^^^^^^");
    check(0, "{\"name\": 1}", "division by zero");
    check(1, "{}", "`name`");
}

/// A block of a variable is written where it is set, also if nothing uses the variable.
#[test]
fn faults_of_unused_variables() {
    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "{% macro m() %}{{ data.no }}{% endmacro %}{% set _a %}{{ data.name }}{% endset %}{% if count %}{% set _b = m() %}{% else %}{% set _c %}a{{ data.missing }}{% endset %}{% endif %}x"
    )]
    struct Unused {
        count: u32,
        data: Json,
    }
    for (count, data, expected) in [
        (0, "{\"name\": 1, \"missing\": 2}", None),
        (0, "{\"name\": 1}", Some("`missing`")),
        (0, "{\"missing\": 1}", Some("`name`")),
        (1, "{\"name\": 1}", Some("`no`")),
    ] {
        let data = Json::parse(data).expect("JSON");
        let messages = Unused { count, data }.messages();
        match expected {
            None => assert_eq!(messages.unwrap()[0].text(), "x"),
            Some(name) => {
                let drawn = format!("{:#}", messages.expect_err("a fault"));
                assert!(drawn.contains(name), "{drawn}");
            }
        }
    }
}

/// The position in the error of a file or an included file.
#[test]
fn faults_in_files() {
    #[derive(Prompt)]
    #[prompt(syntax = "jinja", file = "tests/it/prompts/fault.jinja")]
    struct Ask {
        n: i64,
    }
    let error = Ask { n: 0 }.messages().expect_err("a fault");
    let drawn = format!("{error:#}");
    assert!(
        drawn.contains("tests/it/prompts/fault.jinja:2:10"),
        "{drawn}"
    );
}

/// Data keeps the name of its field through operators and filters; template text remains template text.
#[test]
fn data_spans_are_recorded() {
    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "Hi {{ name | upper }}{{ ' and ' ~ other }}{% set both = name ~ '-' ~ other %}{{ both }}"
    )]
    struct Ask {
        name: &'static str,
        other: &'static str,
    }
    let messages = Ask {
        name: "a",
        other: "b",
    }
    .messages()
    .unwrap();
    assert_eq!(messages[0].text(), "Hi A and ba-b");
    let text = messages[0].texts().next().expect("a string");
    let data: Vec<_> = text
        .data()
        .iter()
        .map(|data| (data.slot, &text.as_str()[data.range.clone()]))
        .collect();
    assert_eq!(
        data,
        [
            (Some("name"), "A"),
            (Some("other"), "b"),
            (Some("name"), "a"),
            (Some("other"), "b")
        ]
    );
}

/// A value is never read as a template.
#[test]
fn values_are_not_templates() {
    #[derive(Prompt)]
    #[prompt(syntax = "jinja", user = "{{ text }}{{ text | trim }}")]
    struct Ask {
        text: &'static str,
    }
    check(
        &Ask {
            text: "{{ 1 }} {% if %} ",
        },
        "{{ 1 }} {% if %} {{ 1 }} {% if %}",
    );
}

/// A type parameter that fills a slot gets the bound that the slot needs.
#[test]
fn generics() {
    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "{{ a }} {% for x in xs %}{{ x }}{% endfor %}"
    )]
    struct Ask<'a, T, const N: usize> {
        a: T,
        xs: &'a [u8; N],
    }
    check(
        &Ask {
            a: true,
            xs: &[1, 2],
        },
        "True 12",
    );
}

mod mine {
    use typed_prompt::filter::{Filtered, upper};

    pub(crate) fn shout(text: &str, mark: &str) -> String {
        format!("{}{mark}", text.to_uppercase())
    }

    pub(crate) fn loud(text: &str) -> Filtered {
        upper(text)
    }

    pub(crate) fn times(number: &u32, by: i64) -> i64 {
        i64::from(*number) * by
    }

    pub(crate) fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    pub(crate) fn first(person: &super::Person) -> &str {
        &person.name[..1]
    }

    pub(crate) fn short(text: &impl std::fmt::Display) -> String {
        text.to_string().chars().take(2).collect()
    }

    pub(crate) fn cut(text: &Filtered) -> &str {
        &text.as_str()[..2]
    }

    pub(crate) fn half(number: &f64) -> f64 {
        number / 2.0
    }
}

/// Functions of the program as filters: rustc checks their arguments, and their result is data.
#[test]
fn functions_of_rust_are_filters() {
    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "{{ name | crate::jinja::mine::shout('!') }} {{ name | upper | self::mine::shout(\"?\") }} \
            {{ count | self::mine::times(2) + 1 }} {{ count | self::mine::times(count // 2) }} \
            {% for word in line | self::mine::words | reverse %}{{ word }}{% if not loop.last %}-{% endif %}{% endfor %} \
            {% for p in people %}{{ p | self::mine::first }}{% endfor %} \
            {{ 'x y' | self::mine::words | length }}{{ 3 | self::mine::times(-1) }}{{ name | self::mine::loud | self::mine::cut }} \
            {{ (count / 4) | self::mine::half }}{% filter self::mine::loud %}b{{ name }}{% endfilter %}\
            {% if name | self::mine::short %}+{% endif %}"
    )]
    struct Mine {
        name: &'static str,
        count: u32,
        line: String,
        people: Vec<Person>,
    }
    let mine = Mine {
        name: "ada",
        count: 7,
        line: "a b".into(),
        people: people(),
    };
    assert_eq!(
        mine.messages().unwrap()[0].text(),
        "ADA! ADA? 15 21 b-a BaC 2-3AD 0.875BADA+"
    );
    let data = mine.messages().unwrap();
    let data: Vec<_> = data[0]
        .texts()
        .flat_map(typed_prompt::message::Text::data)
        .collect();
    assert_eq!((data[0].range.clone(), data[0].slot), (0..4, Some("name")));
}
