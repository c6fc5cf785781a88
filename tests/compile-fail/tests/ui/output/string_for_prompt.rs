//! Error 20: a string where a prompt is asked for.

use typed_prompt::Prompt;

fn show(prompt: &impl Prompt) {
    prompt.messages().unwrap();
}

fn main() {
    show(&"Why?");
}
