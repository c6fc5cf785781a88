use typed_prompt::{Message, Messages, Prompt, Shots};

#[derive(Prompt)]
#[prompt(user = "<shots><question>", format = alpaca)]
struct Ask {
    #[prompt(shots)]
    shots: Shots,
    question: String,
}

fn main() {
    let shots = Shots::texts([Messages::from([Message::user("2+2=4")])]);
    let ask = Ask { shots, question: "1+1=".to_owned() };
    assert_eq!(ask.messages()[0].text(), "2+2=4\n1+1=");
}
