//! Fixes of error 6: one system message, first, and a user message last if the model is to answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "Be brief.",
    user = "2 + 2?",
    assistant = "4",
    user = "<question>",
    output = u32
)]
struct Ask {
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", assistant = "Yes.")]
struct Example {
    question: String,
}

#[test]
fn renders() {
    let question = "3 + 3?".to_owned();
    assert_eq!(
        Ask {
            question: question.clone()
        }
        .messages()
        .unwrap()
        .len(),
        4
    );
    assert_eq!(Example { question }.messages().unwrap().len(), 2);
}
