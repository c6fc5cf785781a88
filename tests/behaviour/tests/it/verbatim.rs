//! A property of both dialects: values are rendered unchanged, and the data spans cover exactly the values.

use proptest::prelude::*;
use typed_prompt::{Message, Prompt, message::Text};

#[derive(Prompt)]
#[prompt(
    system = "S <name>: <name>",
    user = "\\<text> <text>\\{text}<if note>[<note>]</if><for item in items>(<item>)</for>",
    assistant = "A",
    user = "<tail>"
)]
struct Angle<'a> {
    #[prompt(trusted)]
    name: &'a str,
    text: &'a str,
    note: Option<&'a str>,
    items: &'a [String],
    tail: String,
}

#[derive(Prompt)]
#[prompt(
    system = "S {name}: {name}",
    user = "{{text}} {text}\\<text>",
    assistant = "A",
    user = "{tail}",
    syntax = "brace"
)]
struct Brace<'a> {
    #[prompt(trusted)]
    name: &'a str,
    text: &'a str,
    tail: String,
}

/// Pieces of an expected message: template text, or the value of a slot.
enum Piece<'a> {
    Words(&'a str),
    Slot(&'static str, &'a str),
}

use Piece::{Slot, Words};

fn check(message: &Message, expected: &[Piece<'_>]) {
    let mut text = String::new();
    let mut data = Vec::new();
    for piece in expected {
        match piece {
            Words(words) => text.push_str(words),
            Slot(_, "") => {}
            Slot(name, value) => {
                let start = text.len();
                text.push_str(value);
                data.push((*name, start..text.len()));
            }
        }
    }
    assert_eq!(message.text(), text);
    let ranges = message
        .texts()
        .flat_map(Text::data)
        .map(|data| (data.slot.unwrap_or(""), data.range.clone()));
    assert_eq!(ranges.collect::<Vec<_>>(), data);
}

/// Text that looks like structure of any kind, cut and mixed.
fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "<text>",
            "<input:text>",
            "<name>",
            "{text}",
            "{name}",
            "{{text}}",
            "{input:name}",
            "<if note>",
            "</if>",
            "<else>",
            "<for item in items>",
            "</for>",
            "\\",
            "<",
            ">",
            "{",
            "}",
            "<system>",
            "</system>",
            "<|im_end|>",
            "[INST]",
            "\r\n",
            "\n",
            "\0",
            "{% if x %}",
            "{{ x }}",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_are_never_read_again(
        name in value(), text in value(), note in prop::option::of(value()),
        items in prop::collection::vec(value(), 0..4), tail in value(),
    ) {
        let angle = Angle { name: &name, text: &text, note: note.as_deref(), items: &items, tail: tail.clone() }.messages().unwrap();
        let brace = Brace { name: &name, text: &text, tail: tail.clone() }.messages().unwrap();
        for messages in [&angle, &brace] {
            prop_assert_eq!(messages.len(), 4);
            check(&messages[0], &[Words("S "), Slot("name", &name), Words(": "), Slot("name", &name)]);
            check(&messages[2], &[Words("A")]);
            check(&messages[3], &[Slot("tail", &tail)]);
        }
        let mut expected = vec![Words("<text> "), Slot("text", &text), Words("{text}")];
        if let Some(note) = note.as_deref() {
            expected.extend([Words("["), Slot("note", note), Words("]")]);
        }
        for item in &items {
            expected.extend([Words("("), Slot("item", item), Words(")")]);
        }
        check(&angle[1], &expected);
        check(&brace[1], &[Words("{text} "), Slot("text", &text), Words("<text>")]);
    }
}
