//! Fixes of error 15: a condition, or a default.

use typed_prompt::{Prompt, prompt};

#[derive(Prompt)]
#[prompt(
    user = "<if context>Use <context>.</if> <note ?? \"nothing\"> <if user.name><user.name></if>"
)]
struct Ask {
    context: Option<String>,
    note: Option<String>,
    user: User,
}

struct User {
    name: Option<String>,
}

#[test]
fn renders() {
    let user = User {
        name: Some("b".into()),
    };
    let ask = Ask {
        context: Some("a".into()),
        note: None,
        user,
    };
    assert_eq!(ask.messages().unwrap()[0].text(), "Use a. nothing b");
    let note = Some("c");
    assert_eq!(
        prompt!("Mind <note ?? \"nothing\">").unwrap()[0].text(),
        "Mind c"
    );
}
