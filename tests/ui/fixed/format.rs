//! Fixes of error 18: a format of a chat model.

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
    #[prompt(tools)]
    tools: Vec<Tool>,
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
        .len(),
        1
    );
}
