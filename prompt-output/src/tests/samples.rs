//! Output types, what models may write for them, and corruptions of it.

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Person {
    name: String,
    age: u8,
    height: f64,
    email: Option<String>,
    tags: Vec<String>,
    home: Home,
    mood: Mood,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Home {
    street: String,
    zip: i64,
    flags: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Mood {
    Happy,
    VeryHappy,
    Sad,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Figure {
    Empty,
    Circle { radius: f64 },
    Line(i32, i32),
    LiteralMatch(String),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Tool {
    Search { query: String, limit: Option<u32> },
    OpenPage { url: String },
    ReadError,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Cell {
    Number(i64),
    Flag(bool),
    Text(String),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tree {
    value: i32,
    children: Vec<Tree>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    totals: BTreeMap<String, i32>,
    pair: (i32, String),
    tools: Vec<Tool>,
    figures: Vec<Figure>,
    tree: Tree,
    maybe: Option<Box<Table>>,
}

/// Strings full of JSON notation.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z ,.:;]{0,12}",
        "(\"|'|`|\\{|\\}|\\[|\\]|,|:|\\\\|/|#|\n|a|é|😀|“| ){0,8}",
        Just("null".to_owned()),
        Just("```json\n{\"name\": 1}\n```".to_owned()),
        Just("</think>".to_owned()),
        Just("\", \"age\": 7, \"x\": \"".to_owned()),
        ".{0,6}",
    ]
}

pub(crate) fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1e6..1e6,
        Just(0.0),
        Just(1.0),
        (-1000..1000i32).prop_map(f64::from)
    ]
}

pub(crate) fn mood() -> impl Strategy<Value = Mood> {
    prop_oneof![Just(Mood::Happy), Just(Mood::VeryHappy), Just(Mood::Sad)]
}

pub(crate) fn person() -> impl Strategy<Value = Person> {
    let home = (
        text(),
        any::<i64>(),
        prop::collection::vec(any::<bool>(), 0..3),
    )
        .prop_map(|(street, zip, flags)| Home { street, zip, flags });
    let tags = prop::collection::vec(text(), 0..3);
    (
        text(),
        any::<u8>(),
        float(),
        prop::option::of(text()),
        tags,
        home,
        mood(),
    )
        .prop_map(|(name, age, height, email, tags, home, mood)| Person {
            name,
            age,
            height,
            email,
            tags,
            home,
            mood,
        })
}

pub(crate) fn tool() -> impl Strategy<Value = Tool> {
    prop_oneof![
        (text(), prop::option::of(any::<u32>()))
            .prop_map(|(query, limit)| Tool::Search { query, limit }),
        text().prop_map(|url| Tool::OpenPage { url }),
        Just(Tool::ReadError),
    ]
}

pub(crate) fn figure() -> impl Strategy<Value = Figure> {
    prop_oneof![
        Just(Figure::Empty),
        float().prop_map(|radius| Figure::Circle { radius }),
        any::<(i32, i32)>().prop_map(|(from, to)| Figure::Line(from, to)),
        text().prop_map(Figure::LiteralMatch),
    ]
}

pub(crate) fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        any::<i64>().prop_map(Cell::Number),
        any::<bool>().prop_map(Cell::Flag),
        text().prop_map(Cell::Text),
    ]
}

pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<i32>().prop_map(|value| Tree {
        value,
        children: Vec::new(),
    });
    leaf.prop_recursive(3, 8, 3, |inner| {
        (any::<i32>(), prop::collection::vec(inner, 0..3))
            .prop_map(|(value, children)| Tree { value, children })
    })
}

pub(crate) fn table() -> impl Strategy<Value = Table> {
    let rows = || prop::collection::vec(prop::collection::vec(cell(), 0..3), 0..3);
    let totals = || prop::collection::btree_map(text(), any::<i32>(), 0..3);
    let lists = || {
        (
            prop::collection::vec(tool(), 0..3),
            prop::collection::vec(figure(), 0..3),
            tree(),
        )
    };
    let flat = move || {
        (rows(), totals(), (any::<i32>(), text()), lists()).prop_map(
            |(rows, totals, pair, (tools, figures, tree))| Table {
                rows,
                totals,
                pair,
                tools,
                figures,
                tree,
                maybe: None,
            },
        )
    };
    (flat(), prop::option::of(flat())).prop_map(|(mut table, inner)| {
        table.maybe = inner.map(Box::new);
        table
    })
}

/// Any object or list.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        float().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    let tree = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    });
    tree.prop_map(|value| match value {
        Value::Object(_) | Value::Array(_) => value,
        scalar => Value::Array(vec![scalar]),
    })
}

/// Text that a model may write around its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub(crate) pretty: bool,
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
}

pub(crate) fn surroundings_of() -> impl Strategy<Value = Surroundings> {
    let before = prop::sample::select(vec![
        "",
        "\n ",
        "Here is the answer: ",
        "```json\n",
        "```\n",
        "Sure!\n\n```json\n",
        "<think>Is it {\"name\": \"x\"}? Or [1, 2]?</think>\n",
        "As in [1], and {so on}:\n",
    ]);
    let after = prop::sample::select(vec![
        "",
        "\n",
        "\n```",
        "\n```\nBye! :-}",
        "\nHope this helps.",
    ]);
    (any::<bool>(), before, after).prop_map(|(pretty, before, after)| Surroundings {
        pretty,
        before,
        after,
    })
}

impl Surroundings {
    pub(crate) fn around(self, value: &impl Serialize) -> String {
        let json = match self.pretty {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        let json = json.expect("test types can be written");
        format!("{}{json}{}", self.before, self.after)
    }
}

/// A change to a text.
#[derive(Clone, Debug)]
pub(crate) enum Slip {
    Delete(prop::sample::Index),
    Insert(prop::sample::Index, &'static str),
    Swap(prop::sample::Index, prop::sample::Index),
}

pub(crate) fn corruptions() -> impl Strategy<Value = Vec<Slip>> {
    let bits = vec![
        "\"", "'", "{", "}", "[", "]", ",", ":", "\\", "\n", "//", "/*", "```", "null", " ", "“",
        "x", "7", "-", "`", "\"\"\"", "<think>", "é", "...", "#", "=>", "+",
    ];
    let corrupt = prop_oneof![
        any::<prop::sample::Index>().prop_map(Slip::Delete),
        (any::<prop::sample::Index>(), prop::sample::select(bits))
            .prop_map(|(at, bit)| Slip::Insert(at, bit)),
        any::<(prop::sample::Index, prop::sample::Index)>()
            .prop_map(|(one, other)| Slip::Swap(one, other)),
    ];
    prop::collection::vec(corrupt, 0..6)
}

pub(crate) fn corrupt(answer: &str, corruptions: &[Slip]) -> String {
    let mut letters: Vec<String> = answer.chars().map(String::from).collect();
    for corrupt in corruptions {
        if letters.is_empty() {
            break;
        }
        match corrupt {
            Slip::Delete(at) => {
                letters.remove(at.index(letters.len()));
            }
            Slip::Insert(at, bit) => letters.insert(at.index(letters.len()), (*bit).to_owned()),
            Slip::Swap(one, other) => {
                let (one, other) = (one.index(letters.len()), other.index(letters.len()));
                letters.swap(one, other);
            }
        }
    }
    letters.concat()
}
