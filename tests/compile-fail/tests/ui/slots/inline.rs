//! Error 2: a value of `prompt!` that has no slot.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text>.", text = text, language = "French");
}

fn main() {}
