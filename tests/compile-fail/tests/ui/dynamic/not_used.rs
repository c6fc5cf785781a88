//! A template that is loaded and not used: it changes no prompt.

#![deny(unused_must_use)]

use typed_prompt::llm::Options;
use typed_prompt::{Dynamic, Fields, Prompt};

#[derive(Prompt, Fields)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
}

fn main() -> typed_prompt::Result<()> {
    Dynamic::<Ask>::load("prompts/ask.prompt")?;
    Options::new().temperature(0.2);
    Ok(())
}
