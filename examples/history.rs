//! Earlier turns go before the last user message.

use typed_prompt::{History, Prompt, format};

#[derive(Prompt)]
#[prompt(system = "You are kind.", user = "<question>")]
struct Chat<'a> {
    #[prompt(history)]
    turns: &'a History,
    question: &'a str,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut turns = History::from(vec![("Hi", "Hello! How can I help?")]);
    turns.push_pair("Who wrote Momo?", "Michael Ende.");
    let chat = Chat {
        turns: &turns,
        question: "When?",
    };
    println!("{}", chat.to_text(format::LLAMA3)?);
    println!(
        "{}",
        serde_json::to_string_pretty(&chat.messages()?.openai())?
    );
    Ok(())
}
