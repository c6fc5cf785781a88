//! Filters, one after another, by name or by Rust path.

use typed_prompt::{Prompt, ToPrompt, prompt};

use crate::check;

fn shout(text: &(impl ToPrompt + ?Sized), mark: &str) -> String {
    format!("{}{mark}", typed_prompt::filter::upper(text).as_str())
}

fn doubled(count: &u32) -> u32 {
    count * 2
}

mod deep {
    pub(crate) fn len(text: &str) -> usize {
        text.chars().count()
    }
}

#[test]
fn filters_change_the_text_of_a_slot() {
    let text = "  Ab\ncd  ";
    let words = ["a", "b", "c"];
    let numbers = vec![1, 2];
    let count = 21;
    check([
        (prompt!("<text | trim>"), "Ab\ncd"),
        (prompt!("<text | trim | upper>"), "AB\nCD"),
        (prompt!("<text|trim|lower>"), "ab\ncd"),
        (prompt!("<text | trim | indent(2)>"), "Ab\n  cd"),
        (prompt!("<text | trim | truncate(3)>"), "Ab…"),
        (prompt!("<words | join(\", \")>"), "a, b, c"),
        (prompt!("<words | join('-') | upper>"), "A-B-C"),
        (prompt!("<numbers | join(\"\\n\")>"), "1\n2"),
        (prompt!("<words | lines>"), "a\nb\nc"),
        (prompt!("<words | json>"), r#"["a","b","c"]"#),
        (prompt!("<text | json>"), r#""  Ab\ncd  ""#),
        (prompt!("<text | trim | lines | json>"), r#"["Ab","cd"]"#),
        (prompt!("<text | trim | json>"), r#""Ab\ncd""#),
        (
            prompt!("<text | trim | crate::filters::shout('!')>"),
            "AB\nCD!",
        ),
        (prompt!("<count | crate::filters::doubled>"), "42"),
        (
            prompt!("<for line in text | trim | lines>[<line>]</for>"),
            "[Ab][cd]",
        ),
    ]);
}

#[derive(Prompt)]
#[prompt(
    user = r#"<for x in words | join("\n") | lines>[<x>]</for><for n in words | self::lengths><n></for>"#
)]
struct Words {
    words: Vec<String>,
}

fn lengths(words: &[String]) -> Vec<usize> {
    words.iter().map(String::len).collect()
}

/// The field's items are strings, and those of the loop's list are not.
#[test]
fn a_loop_over_a_list_that_a_filter_makes() {
    let words = Words {
        words: vec!["a".into(), "bc".into()],
    };
    assert_eq!(crate::user(&words), "[a][bc]12");
}

#[test]
fn a_filter_in_a_condition() {
    let text = "   ";
    let name = "Ada";
    check([
        (prompt!("<if text | trim>some<else>none</if>"), "none"),
        (prompt!("<name | crate::filters::deep::len>"), "3"),
    ]);
}
