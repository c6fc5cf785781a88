//! Fixes of error 2: a slot for the field, or `skip`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <question> Use <context>.")]
struct Ask {
    question: String,
    context: String,
    #[prompt(skip)]
    id: u32,
}

#[test]
fn renders() {
    let ask = Ask {
        question: "Why?".into(),
        context: "a".into(),
        id: 1,
    };
    assert_eq!(
        ask.messages().unwrap()[0].text(),
        "Answer this: Why? Use a."
    );
    assert_eq!(ask.id, 1);
}
