//! Properties of every text, in every dialect.

use prompt_syntax::{Dialect, Options, invariants};
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
                invariants::check(&text, Options { dialect, roles });
            }
        }
    }
}
