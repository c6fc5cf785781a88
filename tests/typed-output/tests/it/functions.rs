//! `#[typed_prompt::function]`: arguments in, a prompt out, the return type answered.

use std::borrow::Cow;

use pollster::block_on;
use typed_prompt::{History, Llm, MockLlm, Prompt, Role, ToPrompt};

use crate::{turns, user};

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
enum Label {
    Bug,
    Praise,
}

/// Finds out what a ticket is about.
#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> Label;

#[typed_prompt::function(
    system = "You work for <product>.",
    user = "<for tag in tags><tag> </for><note ?? \"-\"> <count>"
)]
pub(crate) fn several(
    #[prompt(trusted)] product: &str,
    tags: &[Cow<'_, str>],
    note: Option<&str>,
    count: usize,
) -> String;

#[typed_prompt::function(user = "What does <text> say?")]
fn extract<'t, T: serde::de::DeserializeOwned + schemars::JsonSchema>(text: &'t str) -> T;

#[typed_prompt::function(user = "<value> <for one in other><one></for>")]
const fn generic<V, const N: usize>(value: V, other: &[u8; N]) -> String
where
    V: ToPrompt + Copy,
    [u8; N]: Copy;

/// Say <word>.
#[typed_prompt::function(doc)]
fn documented(word: String) -> String;

#[typed_prompt::function(file = "tests/it/prompts/talk.prompt", syntax = "angle")]
fn filed(
    #[prompt(trusted)] tone: &str,
    #[prompt(history)] turns: &History,
    question: &str,
) -> Vec<Label>;

#[typed_prompt::function(user = "Is it so?")]
fn nullary() -> bool;

#[typed_prompt::function(user = "<input:type> <static>")]
fn raw(r#type: &str, r#static: &str) -> Option<Label>;

#[test]
fn an_argument_fills_its_slot() {
    assert_eq!(user(&triage("It crashes")), "Classify It crashes.");
    assert_eq!(user(&nullary()), "Is it so?");
    assert_eq!(user(&raw("a", "b")), "a b");
    assert_eq!(user(&documented("hi".into())), "Say hi.");
    assert_eq!(user(&extract::<u8>("seven")), "What does seven say?");
    let tags = ["a".into(), "b".into()];
    assert_eq!(
        turns(&several("Acme", &tags, None, 3)),
        [
            ("system", "You work for Acme.".to_owned()),
            ("user", "a b - 3".to_owned())
        ]
    );
}

#[test]
fn the_return_type_is_answered() {
    let llm = MockLlm::new(["\"Bug\"", "Praise", "7", "[\"Bug\"]", "true"]);
    let answered = async {
        let label: Label = llm.call(triage("It crashes")).await?;
        assert_eq!(label, Label::Bug);
        assert_eq!(llm.call(triage("I love it")).await?, Label::Praise);
        assert_eq!(llm.call(extract::<u8>("seven")).await?, 7);
        let history = History::from(vec![("Hi", "Hello")]);
        assert_eq!(llm.call(filed("kind", &history, "?")).await?, [Label::Bug]);
        assert!(llm.call(nullary()).await?);
        Ok::<(), typed_prompt::Error>(())
    };
    block_on(answered).unwrap();
    assert!(llm.requests()[0].schema.is_some());
}

/// A prompt can be kept, sent to another thread, and named.
#[test]
fn the_prompt_is_a_value() {
    fn kept(ticket: &str) -> triage<'_> {
        triage(ticket)
    }
    let prompt = std::thread::spawn(|| kept("a")).join().unwrap();
    assert_eq!(prompt.messages().unwrap()[0].role, Role::User);
    assert_eq!(triage::INFO.name, "triage");
    assert_eq!(triage::INFO.doc, "Finds out what a ticket is about.");
    assert_eq!(triage::INFO.slots.iter().next().unwrap().name, "ticket");
}

#[test]
fn a_type_parameter_fills_a_slot() {
    #[typed_prompt::function(user = "<value>")]
    fn local<V: typed_prompt::ToPrompt>(value: V) -> String;
    assert_eq!(user(&local("a")), "a");
    assert_eq!(user(&local(1)), "1");
    assert_eq!(user(&generic(7, &[1])), "7 1");
}
