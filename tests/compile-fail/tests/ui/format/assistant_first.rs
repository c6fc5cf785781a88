//! Error 8: the assistant begins in a family whose roles alternate, and has two messages in a row after the history.

use typed_prompt::{History, Prompt};

#[derive(Prompt)]
#[prompt(assistant = "What can I do for you?", user = "<wish>", format = mistral_v3)]
struct Greet {
    wish: String,
}

#[derive(Prompt)]
#[prompt(history, assistant = "Go on.", user = "<wish>", format = command_r)]
struct Go {
    #[prompt(history)]
    before: History,
    wish: String,
}

fn main() {}
