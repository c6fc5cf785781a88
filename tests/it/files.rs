//! Templates in files of their own.

use typed_prompt::Prompt;

use crate::turns;

#[derive(Prompt)]
#[prompt(file = "tests/it/prompts/roles.prompt")]
struct Roles<'a> {
    #[prompt(trusted)]
    product: &'a str,
    passages: &'a [&'a str],
    question: &'a str,
}

#[derive(Prompt)]
#[prompt(file = "tests/it/prompts/plain.prompt")]
struct Plain<'a> {
    name: &'a str,
}

#[derive(Prompt)]
#[prompt(file = "tests/it/prompts/windows.prompt", syntax = "brace")]
struct Windows<'a> {
    name: &'a str,
}

fn owned(turns: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    turns
        .iter()
        .map(|(role, text)| (*role, (*text).to_owned()))
        .collect()
}

#[test]
fn a_file_has_role_blocks() {
    let prompt = Roles {
        product: "Acme",
        passages: &["a", "b"],
        question: "Why?",
    };
    let expected = [
        ("system", "You are a support agent of Acme."),
        ("user", "- a\n- b\n\nQuestion: Why?"),
    ];
    assert_eq!(turns(&prompt), owned(&expected));
}

#[test]
fn a_file_without_blocks_is_one_user_message() {
    // The final line break goes, one before it stays.
    assert_eq!(
        turns(&Plain { name: "Ada" }),
        owned(&[("user", "Hello, Ada!\n")])
    );
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_not_reach_the_model() {
    assert_eq!(
        turns(&Windows { name: "Ada" }),
        owned(&[("user", "Hello,\nAda!")])
    );
}
