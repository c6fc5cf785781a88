//! Fixes of error 10: the slot is written `<input:…>`, or the field is skipped.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context><input:context></context> <id>here</id>")]
struct Ask {
    context: String,
    #[prompt(skip)]
    id: u32,
}

#[test]
fn renders() {
    let ask = Ask {
        context: "a".into(),
        id: 1,
    };
    assert_eq!(
        ask.messages().unwrap()[0].text(),
        "<context>a</context> <id>here</id>"
    );
    assert_eq!(ask.id, 1);
}
