//! Properties of every text and of every tree, in every dialect.

mod tree;

use prompt_syntax::{Dialect, Options, Template, invariants};
use proptest::prelude::*;

const DIALECTS: [Dialect; 2] = [Dialect::Angle, Dialect::Brace];

/// Pieces of which templates and near-templates are made.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<",
        ">",
        "</",
        "<a>",
        "<b>",
        "</a>",
        "<input:a>",
        "<input:",
        "input:",
        "<a.b>",
        "<a | trim>",
        "<a | join(\", \")>",
        "<a ?? \"x\">",
        "<a | crate::f(1, -2, b)>",
        "<if a>",
        "<if a and not b>",
        "<if (a or b) and c>",
        "<else if b>",
        "<else>",
        "</if>",
        "<for x in a>",
        "<for x in a | lines>",
        "</for>",
        "<x>",
        "<if>",
        "<for>",
        "<system>",
        "</system>",
        "<user>",
        "</user>",
        "<assistant>",
        "</assistant>",
        "<history>",
        "\\",
        "\\\\",
        "{",
        "}",
        "{{",
        "}}",
        "{a}",
        "{input:a}",
        "{{a}}",
        "{input:",
        "{0}",
        "{ a }",
        "{\"a\": 1}",
        "\n",
        "\r\n",
        "\"",
        "'",
        "|",
        "??",
        "(",
        ")",
        ",",
        ".",
        " ",
        "text",
        "é",
        "日本",
        "🙂",
        "\u{0}",
        "<|im_start|>",
        "<<SYS>>",
        "<br/>",
        "<a b=\"c\">",
        "\\frac{a}{b}",
        "Vec<T>",
        "a < b",
        "<elif a>",
        "<endif>",
        "</else>",
        "<else/>",
        " >",
        "<if a >",
        "join(\"\n\")",
        "<input:a | join('>')>",
        "{{{",
        "}}}",
        "{input:a.b}",
        "e\u{301}",
    ]);
    prop_oneof![8 => known.prop_map(String::from), 1 => any::<char>().prop_map(String::from), 1 => "\\PC{0,8}"]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_parses(text in text()) {
        for dialect in DIALECTS {
            for roles in [false, true] {
                invariants::check(&text, Options { roles, ..Options::message(dialect) });
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_message_prints(nodes in tree::message(Dialect::Angle)) {
        invariants::prints(&Template { nodes }, Options::message(Dialect::Angle));
    }

    #[test]
    fn every_document_prints(nodes in tree::document(Dialect::Angle)) {
        invariants::prints(&Template { nodes }, Options::document(Dialect::Angle));
    }

    #[test]
    fn every_message_in_braces_prints(nodes in tree::message(Dialect::Brace)) {
        invariants::prints(&Template { nodes }, Options::message(Dialect::Brace));
    }

    #[test]
    fn every_document_in_braces_prints(nodes in tree::document(Dialect::Brace)) {
        invariants::prints(&Template { nodes }, Options::document(Dialect::Brace));
    }
}

/// What a fuzzer has found.
#[test]
fn found_by_fuzzing() {
    let texts = [
        // A second end of a block that waits for one that crosses it.
        "<if a><for x in y></if></if></for>",
        "<if <for><for></if></for><user></if></for",
        "<if a><for x in y><if b></if></for></if></if></for></for>",
        // A text that goes on behind the slot's end.
        "{input:a | join(\",b} | \")}",
        // A space before the `.` of a path.
        "<if a .b>1</if><input:a .b>{input:a .b}<if input :a>2</if>",
    ];
    for text in texts {
        for dialect in DIALECTS {
            for roles in [false, true] {
                invariants::check(
                    text,
                    Options {
                        roles,
                        ..Options::message(dialect)
                    },
                );
            }
        }
    }
}
