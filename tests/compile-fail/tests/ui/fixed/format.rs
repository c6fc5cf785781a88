//! Fixes of errors 8 and 18: a format that supports the content, or content that the format supports.

use typed_prompt::{History, Prompt, Tool, format};

#[derive(Prompt)]
#[prompt(user = "2 + 2?", assistant = "4", user = "<question>", format = chatml)]
struct Ask {
    question: String,
    #[prompt(history)]
    history: History,
}

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Call {
    question: String,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
}

#[derive(Prompt)]
#[prompt(
    user = "Answer in verse.\n<question>",
    assistant = "In verse, then.",
    user = "Go on.",
    format = mistral_v0
)]
struct InTurn {
    question: String,
}

#[test]
fn roles_take_turns() {
    let ask = InTurn {
        question: "Why?".to_owned(),
    };
    let text = ask.to_text(format::MISTRAL_V0).unwrap();
    assert_eq!(
        text,
        "<s>[INST] Answer in verse.\nWhy? [/INST]In verse, then.</s>[INST] Go on. [/INST]"
    );
}

#[test]
fn renders() {
    let question = "3 + 3?".to_owned();
    let ask = Ask {
        question: question.clone(),
        history: History::from([("a", "b")]),
    };
    assert!(ask.to_text(format::CHATML).is_ok());
    assert_eq!(
        Call {
            question,
            tools: Vec::new()
        }
        .messages()
        .unwrap()
        .len(),
        1
    );
}
