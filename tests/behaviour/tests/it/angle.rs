//! The angle dialect: slots, paths, tags that stay text, conditions, loops, defaults.

use typed_prompt::{Prompt, prompt, value::Truthy};

use crate::{check, user};

struct Person {
    name: String,
    town: Option<Town>,
}

struct Town {
    name: &'static str,
    people: u32,
}

// Always there; in an `Option` a condition can ask for it.
impl Truthy for Town {}

fn ada() -> Person {
    Person {
        name: "Ada".to_owned(),
        town: Some(Town {
            name: "London",
            people: 9,
        }),
    }
}

#[test]
fn slots_are_filled() {
    let (name, count) = ("Ada", 3);
    let person = ada();
    check([
        (prompt!("<name>"), "Ada"),
        (prompt!("<input:name>"), "Ada"),
        (prompt!("<name><name> <count>"), "AdaAda 3"),
        (prompt!("Hello, <person.name>!"), "Hello, Ada!"),
        (prompt!("<input:person.name>"), "Ada"),
    ]);
}

#[test]
fn tags_that_are_not_slots_stay_text() {
    let name = "Ada";
    check([
        (prompt!("a < b > c <name>"), "a < b > c Ada"),
        (
            prompt!("<br/> <a href='x'> </x> <|x|> <<Y>> <3 <name>"),
            "<br/> <a href='x'> </x> <|x|> <<Y>> <3 Ada",
        ),
        (prompt!("<doc>text</doc> <name>"), "<doc>text</doc> Ada"),
        (prompt!("\\<name> is <name>"), "<name> is Ada"),
        (prompt!(r"C:\dir\<br/> \\<name>"), r"C:\dir\<br/> \Ada"),
        (prompt!("\\<<name>> <<input:name>>"), "<<name>> <Ada>"),
        (
            prompt!(r"\{name} <raw>{{name}}</raw> <name>"),
            "{name} {{name}} Ada",
        ),
        (
            prompt!("<name> <!-- <name> --> \\<name >"),
            "Ada <!-- Ada --> <name >",
        ),
    ]);
}

#[test]
fn a_tag_with_the_name_of_a_field_is_text_beside_its_slot() {
    let question = "Why?";
    check([(
        prompt!("<question>\n<input:question>\n</question>"),
        "<question>\nWhy?\n</question>",
    )]);
}

#[derive(Prompt)]
#[prompt(user = "<if note>Note: <note>.<else if draft>A draft.<else>Nothing.</if>")]
struct Conditional<'a> {
    note: Option<&'a str>,
    draft: bool,
}

#[test]
fn the_first_true_branch_is_taken() {
    for (note, draft, expected) in [
        (Some("late"), false, "Note: late."),
        (Some("late"), true, "Note: late."),
        // An `Option` counts as there if it is `Some`, as in `if let Some(note)`.
        (Some(""), true, "Note: ."),
        (None, true, "A draft."),
        (None, false, "Nothing."),
        (Some(""), false, "Note: ."),
    ] {
        assert_eq!(user(&Conditional { note, draft }), expected);
    }
}

#[derive(Prompt)]
#[prompt(
    user = "<if n>n=<n>;</if><if b>b=<b>;</if><if not n>none;</if><if n and f><f>;</if><if m><if m>m=<m>;</if></if><if p.town>town;</if><if at>at <at.x>;</if><if p.at>in <p.at.x>;</if><if not at>nowhere;</if>"
)]
struct Found {
    n: Option<u8>,
    b: Option<bool>,
    f: Option<f64>,
    m: Option<u8>,
    p: Optional,
    at: Option<Point>,
}

#[derive(Clone, Default)]
struct Optional {
    town: Option<String>,
    at: Option<Point>,
}

/// It is not `Truthy`: presence is a question about the `Option`.
#[derive(Clone)]
struct Point {
    x: u8,
}

#[test]
fn an_option_counts_as_there_if_it_is_some() {
    let found = Found {
        n: Some(0),
        b: Some(false),
        f: Some(0.0),
        m: Some(0),
        p: Optional {
            town: Some(String::new()),
            at: Some(Point { x: 2 }),
        },
        at: Some(Point { x: 1 }),
    };
    assert_eq!(user(&found), "n=0;b=false;0;town;at 1;in 2;");
    let none = Found {
        n: None,
        b: None,
        f: None,
        m: Some(1),
        p: Optional::default(),
        at: None,
    };
    assert_eq!(user(&none), "none;m=1;nowhere;");
}

#[derive(Prompt)]
#[prompt(user = "<if not a and (b or c)>1<else>0</if><if a or b and c>1<else>0</if>")]
struct Logic {
    a: bool,
    b: bool,
    c: bool,
}

#[test]
fn conditions_combine() {
    for bits in 0..8 {
        let (a, b, c) = (bits & 4 != 0, bits & 2 != 0, bits & 1 != 0);
        let expected = format!("{}{}", u8::from(!a && (b || c)), u8::from(a || b && c));
        assert_eq!(user(&Logic { a, b, c }), expected, "a={a} b={b} c={c}");
    }
}

#[derive(Prompt)]
#[prompt(user = "<if person.town><person.town.name> has <person.town.people><else>nowhere</if>")]
struct Nested {
    person: Person,
}

#[test]
fn a_condition_opens_an_option_in_a_path() {
    assert_eq!(user(&Nested { person: ada() }), "London has 9");
    assert_eq!(
        user(&Nested {
            person: Person {
                town: None,
                ..ada()
            }
        }),
        "nowhere"
    );
}

#[derive(Prompt)]
#[prompt(user = "<for row in rows>[<for cell in row><cell>,<else>-</for>]<else>no rows</for>")]
struct Rows {
    rows: Vec<Vec<u8>>,
}

#[test]
fn loops_nest_and_have_an_else() {
    for (rows, expected) in [
        (vec![], "no rows"),
        (vec![vec![]], "[-]"),
        (vec![vec![1, 2], vec![], vec![3]], "[1,2,][-][3,]"),
    ] {
        assert_eq!(user(&Rows { rows }), expected);
    }
}

#[derive(Prompt)]
#[prompt(user = "<for p in people><p.name><if p.town> of <p.town.name></if>\n</for>")]
struct People<'a> {
    people: &'a [Person],
}

#[test]
fn a_loop_variable_has_fields() {
    let people = [
        ada(),
        Person {
            name: "Bo".to_owned(),
            town: None,
        },
    ];
    assert_eq!(user(&People { people: &people }), "Ada of London\nBo\n");
}

#[derive(Prompt)]
#[prompt(user = "<tone ?? \"plain\">, <count ?? 3>, <note ?? fallback>")]
struct Defaults<'a> {
    tone: Option<&'a str>,
    count: Option<u8>,
    note: Option<&'a str>,
    fallback: &'a str,
}

#[test]
fn a_default_replaces_none_only() {
    let none = Defaults {
        tone: None,
        count: None,
        note: None,
        fallback: "-",
    };
    assert_eq!(user(&none), "plain, 3, -");
    assert_eq!(
        user(&Defaults {
            tone: Some(""),
            count: Some(0),
            note: Some("n"),
            ..none
        }),
        ", 0, n"
    );
}

#[derive(Prompt)]
#[prompt(user = "<type> <match> <größe> <_x> <a1>")]
struct Names {
    r#type: u8,
    r#match: u8,
    größe: u8,
    _x: u8,
    a1: u8,
}

#[test]
fn any_field_name_can_be_a_slot() {
    assert_eq!(
        user(&Names {
            r#type: 1,
            r#match: 2,
            größe: 3,
            _x: 4,
            a1: 5
        }),
        "1 2 3 4 5"
    );
}
