//! Fixes of error 9: the answer is in the last assistant message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Question: <question>", assistant = "<label>")]
struct Row {
    question: String,
    #[prompt(answer)]
    label: String,
}

#[test]
fn renders() {
    let row = Row {
        question: "2 + 2?".into(),
        label: "4".into(),
    };
    assert_eq!(row.messages().unwrap().len(), 1);
    assert_eq!(row.messages_with_answer().unwrap()[1].text(), "4");
}
