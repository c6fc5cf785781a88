//! `prompt!`: captured variables and assigned values.

use typed_prompt::{Messages, Result, prompt};

use crate::{check, user};

#[test]
fn variables_are_captured() {
    let name = String::from("Ada");
    let numbers = vec![1, 2];
    check([
        (prompt!("<name>"), "Ada"),
        (prompt!(user = "<name>"), "Ada"),
        (prompt!("<for n in numbers><n>;</for>"), "1;2;"),
    ]);
    // Captured by reference: both are still there.
    assert_eq!((name.len(), numbers.len()), (3, 2));
}

/// A name is resolved where the template is written, as in `format!`.
#[test]
fn macros_may_hand_a_template_on() {
    macro_rules! handed {
        ($($prompt:tt)*) => {{
            let word = "inside";
            (prompt!($($prompt)*), prompt!("<word>"), word)
        }};
    }
    macro_rules! named {
        ($text:literal, $name:ident) => {{
            let $name = "given";
            prompt!($text)
        }};
    }
    let word = "outside";
    let (handed, own, _) = handed!(user = "<word>");
    check([
        (handed, "outside"),
        (own, "inside"),
        (named!("<word>", word), "given"),
        (prompt!("<word>"), "outside"),
    ]);
}

#[test]
fn slots_with_assigned_expressions() {
    let x = 1;
    check([
        (prompt!("<x> <y>", y = x + 1), "1 2"),
        (prompt!("<x>", x = "given"), "given"),
        (
            prompt!(
                user = "<x>",
                x = {
                    let a = 3;
                    a * 2
                }
            ),
            "6",
        ),
        (prompt!("no slot"), "no slot"),
    ]);
}

#[test]
fn prompt_macro_is_an_expression_of_messages() {
    fn make(text: &str) -> Result<Messages> {
        prompt!("<text>")
    }
    assert_eq!(user(&make("a").unwrap()), "a");
    assert_eq!(
        ["a", "b"].map(|text| user(&prompt!("<text>").unwrap())),
        ["a", "b"]
    );
}
