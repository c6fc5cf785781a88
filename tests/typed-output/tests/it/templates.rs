//! `#[typed_prompt::template]` with an output type.

use typed_prompt::{History, Prompt};

use crate::turns;

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

#[test]
fn field_types_are_inferred_from_the_template() {
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
