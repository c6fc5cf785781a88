//! Error 20: a string in place of a prompt.

use typed_prompt::Prompt;

fn show(prompt: &impl Prompt) {
    prompt.messages().unwrap();
}

fn main() {
    show(&"Why?");
}
