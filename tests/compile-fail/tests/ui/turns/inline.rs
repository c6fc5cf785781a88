//! Error 6: a system message of `prompt!` after a user message.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(user = "Translate <text>", system = "Be brief.");
}

fn main() {}
