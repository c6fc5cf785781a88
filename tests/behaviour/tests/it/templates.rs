//! `#[typed_prompt::template]`: a struct whose fields are made from the slots.

use typed_prompt::{History, Prompt};

use crate::{turns, user};

#[typed_prompt::template(user = "Translate <text> into <language>.<if formal> Be formal.</if>")]
#[derive(Clone, Debug, PartialEq, Default)]
struct Translate;

/// Answers from passages.
#[typed_prompt::template(
    system = "You work for <product>.",
    user = "<for p in passages>- <p>\n</for><if note>(<note>)</if><tone ?? \"calm\"> <tags | join(\", \")> <count>",
    output = Vec<u8>,
    fields(
        count: u8,
        /// Who sells it.
        #[prompt(trusted)] product,
        #[prompt(history)] turns: &'t History,
    ),
)]
pub(crate) struct Ask<'t>;

#[typed_prompt::template(file = "tests/it/prompts/talk.prompt", fields(#[prompt(trusted)] tone, #[prompt(history)] turns: History))]
struct Filed {}

#[typed_prompt::template(user = "{b} {a} {input:type}", syntax = "brace")]
struct Braces;

/// Say <word>, <word>.
#[typed_prompt::template(doc, from)]
struct Documented;

#[test]
fn a_slot_is_a_field() {
    let ask = Translate {
        text: "Hi".into(),
        language: "French".into(),
        formal: true,
    };
    assert_eq!(user(&ask), "Translate Hi into French. Be formal.");
    assert_eq!(ask.clone(), ask);
    assert_eq!(
        format!("{:?}", Translate::default()),
        r#"Translate { text: "", language: "", formal: false }"#
    );
    let braces = Braces {
        b: "1".into(),
        a: "2".into(),
        r#type: "3".into(),
    };
    assert_eq!(user(&braces), "1 2 3");
    assert_eq!(user(&Documented { word: "hi".into() }), "Say hi, hi.");
    assert_eq!(user(&Documented::from("hi")), "Say hi, hi.");
}

#[test]
fn its_type_is_what_the_template_does_with_it() {
    let history = History::new();
    let ask = Ask {
        product: "Acme".into(),
        passages: vec!["a".into(), "b".into()],
        note: Some("short".into()),
        tone: None,
        tags: vec!["x".into(), "y".into()],
        count: 2,
        turns: &history,
    };
    assert_eq!(
        turns(&ask),
        [
            ("system", "You work for Acme.".to_owned()),
            ("user", "- a\n- b\n(short)calm x, y 2".to_owned()),
        ]
    );
    assert_eq!(Ask::INFO.doc, "Answers from passages.");
    let filed = Filed {
        tone: "kind".into(),
        question: "?".into(),
        turns: History::new(),
    };
    assert_eq!(turns(&filed)[1].1, "?");
}
