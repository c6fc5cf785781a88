//! Fixes of error 4: keys, dialects, formats and filters that exist.

use typed_prompt::{Prompt, prompt};

#[derive(Prompt)]
#[prompt(
    system = "You are of <product>.",
    user = "<question | upper> <name | self::shout>",
    output = String,
    format = llama3,
    syntax = "angle"
)]
struct Ask {
    #[prompt(trusted)]
    product: String,
    question: String,
    name: String,
}

fn shout(text: &str) -> String {
    text.to_uppercase() + "!"
}

#[derive(Prompt)]
enum Step {
    #[prompt(system = "Be brief.", user = "Go.")]
    Go,
}

#[test]
fn renders() {
    let ask = Ask {
        product: "Acme".into(),
        question: "why".into(),
        name: "ada".into(),
    };
    assert_eq!(ask.messages().unwrap()[1].text(), "WHY ADA!");
    assert_eq!(Step::Go.messages().unwrap().len(), 2);
    let text = "a";
    assert_eq!(
        prompt!("Translate {text}", syntax = "brace").unwrap()[0].text(),
        "Translate a"
    );
}
