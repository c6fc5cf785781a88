//! Error 8: the assistant speaks first in a family whose roles take turns, and again after the history.

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
