//! Fixes of mistakes in `#[template]`: no fields, and types for names whose type the template does not determine.

use typed_prompt::Prompt;

struct Word {
    text: String,
}

#[typed_prompt::template(
    system = "You work for <product>.",
    user = "Translate <for word in words><word.text></for>.",
    fields(#[prompt(trusted)] product, words: Vec<Word>),
)]
struct Translate;

#[test]
fn renders() {
    let word = Word { text: "Hi".into() };
    let ask = Translate {
        product: "Acme".into(),
        words: vec![word],
    };
    assert_eq!(ask.messages().unwrap()[1].text(), "Translate Hi.");
}
