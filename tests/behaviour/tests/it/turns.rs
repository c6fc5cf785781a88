//! System, user and assistant messages in order; one prompt per variant.

use typed_prompt::{Prompt, prompt};

use crate::turns;

fn owned(turns: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    turns
        .iter()
        .map(|(role, text)| (*role, (*text).to_owned()))
        .collect()
}

#[derive(Prompt)]
#[prompt(
    system = "Classify.",
    user = "I love it",
    assistant = "good",
    user = "I hate it",
    assistant = "bad",
    user = "<text>"
)]
struct Examples<'a> {
    text: &'a str,
}

#[test]
fn messages_have_the_order_of_the_attribute() {
    let expected = [
        ("system", "Classify."),
        ("user", "I love it"),
        ("assistant", "good"),
        ("user", "I hate it"),
        ("assistant", "bad"),
        ("user", "so-so"),
    ];
    assert_eq!(turns(&Examples { text: "so-so" }), owned(&expected));
}

#[derive(Prompt)]
enum Step<'a> {
    #[prompt(system = "Plan.", user = "<goal>")]
    Plan { goal: &'a str },
    #[prompt(user = "Do <0>.")]
    Act {
        #[prompt(skip)]
        #[allow(dead_code)]
        id: u8,
    },
    #[prompt(user = "Stop.")]
    Stop,
}

#[test]
fn each_variant_is_a_prompt() {
    let cases: [(Step<'_>, &[(&str, &str)]); 3] = [
        (
            Step::Plan { goal: "rest" },
            &[("system", "Plan."), ("user", "rest")],
        ),
        (Step::Act { id: 1 }, &[("user", "Do <0>.")]),
        (Step::Stop, &[("user", "Stop.")]),
    ];
    for (step, expected) in cases {
        assert_eq!(turns(&step), owned(expected));
    }
}

#[derive(Prompt)]
#[prompt("<system>\nBe <tone>.\n</system>\n\n<user>\n<text>\n</user>\n")]
struct Blocks<'a> {
    #[prompt(trusted)]
    tone: &'a str,
    text: &'a str,
}

#[test]
fn one_literal_may_contain_role_blocks() {
    let expected = [("system", "Be kind."), ("user", "Hi")];
    assert_eq!(
        turns(&Blocks {
            tone: "kind",
            text: "Hi"
        }),
        owned(&expected)
    );
}

/// Translate <text> into French.
///
/// Answer with the translation only.
#[derive(Prompt)]
#[prompt(doc)]
struct Documented<'a> {
    text: &'a str,
}

#[test]
fn doc_lines_may_be_the_user_message() {
    let expected = [(
        "user",
        "Translate Hi into French.\n\nAnswer with the translation only.",
    )];
    assert_eq!(turns(&Documented { text: "Hi" }), owned(&expected));
}

#[test]
fn inline_prompts_have_roles_too() {
    let (tone, text) = (typed_prompt::Trusted("kind"), "Hi");
    let expected = owned(&[("system", "Be kind."), ("user", "Hi!")]);
    assert_eq!(
        turns(&prompt!(system = "Be <tone>.", user = "<text>!").unwrap()),
        expected
    );
    assert_eq!(
        turns(&prompt!("<system>Be <tone>.</system><user><text>!</user>").unwrap()),
        expected
    );
}
