//! Fixes of error 21: `Deserialize` and `JsonSchema`, derived.

use typed_prompt::Prompt;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code)]
struct Answer {
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Answer)]
struct Ask {
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<question>", output = Vec<Answer>)]
struct Many {
    question: String,
}

#[test]
fn renders() {
    assert!(Ask::output_schema().is_some());
    assert!(Many::output_schema().is_some());
    let question = "Why?".to_owned();
    assert_eq!(
        Ask {
            question: question.clone()
        }
        .messages()
        .unwrap()[0]
            .text(),
        "Why?"
    );
    assert_eq!(Many { question }.messages().unwrap()[0].text(), "Why?");
}
