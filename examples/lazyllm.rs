//! LazyLLM's layouts: Alpaca and Chat, with a model's keys, extra fields and the dict form.

use typed_prompt::compat::lazyllm::{Alpaca, Chat, Keys};
use typed_prompt::{History, Prompt};

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    system = "Answer from the knowledge about {topic}.",
    user = "{input}"
)]
struct Ask {
    #[prompt(trusted)]
    topic: String,
    input: String,
    #[prompt(extra)]
    knowledge: String,
    #[prompt(history)]
    turns: History,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", system = "Add up {sum}.", from)]
struct Add {
    #[prompt(trusted)]
    sum: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ask = Ask {
        topic: "owls".into(),
        input: "When do they sleep?".into(),
        knowledge: "By day.".into(),
        turns: History::from(vec![("Hi", "Hello")]),
    };
    let chat = Chat::new().keys(Keys::from_name("qwen")?);
    println!("{}", ask.to_text(&chat)?);
    println!(
        "{}",
        serde_json::to_string_pretty(&chat.to_messages(&ask)?.openai())?
    );
    println!("{}", Add::from("1 + 1").to_text(Alpaca::new())?);
    Ok(())
}
