//! The corrected mistakes about examples.

use typed_prompt::{Message, Messages, Prompt, Examples};

#[derive(Prompt)]
#[prompt(user = "<examples><question>", format = alpaca)]
struct Ask {
    #[prompt(examples)]
    examples: Examples,
    question: String,
}

fn main() {
    let examples = Examples::texts([Messages::from([Message::user("2+2=4")])]).unwrap();
    let ask = Ask { examples, question: "1+1=".to_owned() };
    assert_eq!(ask.messages().unwrap()[0].text(), "2+2=4\n1+1=");
}
