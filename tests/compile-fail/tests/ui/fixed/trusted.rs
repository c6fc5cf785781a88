//! Fixes of error 7: the slot moves to the user, or the field is vouched for, or is of a type that cannot instruct.

use typed_prompt::{Prompt, Trusted, prompt};

#[derive(Prompt)]
#[prompt(
    system = "You know <product>, <rules | join(\", \")>, <tone> and <count>.",
    user = "<context>"
)]
struct Ask {
    #[prompt(trusted)]
    product: String,
    #[prompt(trusted)]
    rules: Vec<String>,
    tone: Trusted<String>,
    count: u32,
    context: String,
}

#[test]
fn renders() {
    let ask = Ask {
        product: "a".into(),
        rules: vec!["b".into(), "c".into()],
        tone: Trusted("d".into()),
        count: 5,
        context: "e".into(),
    };
    assert_eq!(
        ask.messages().unwrap()[0].text(),
        "You know a, b, c, d and 5."
    );
    let tone = "kind";
    let messages = prompt!(system = "Be <tone>.", user = "Go.", tone = Trusted(tone)).unwrap();
    assert_eq!(messages[0].text(), "Be kind.");
}
