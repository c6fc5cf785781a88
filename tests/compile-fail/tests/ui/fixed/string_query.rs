//! Fixes of error 20: one field, or all fields.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", from)]
struct One {
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<question> <context>")]
struct Two {
    question: String,
    context: String,
}

#[test]
fn renders() {
    assert_eq!(One::from("Why?").messages().unwrap()[0].text(), "Why?");
    let one: One = "Why?".into();
    assert_eq!(one.messages().unwrap()[0].text(), "Why?");
    let two = Two {
        question: "Why?".into(),
        context: "a".into(),
    };
    assert_eq!(two.messages().unwrap()[0].text(), "Why? a");
}
