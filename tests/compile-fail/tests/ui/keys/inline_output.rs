//! Error 4: an answer of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text>", output = String);
}

fn main() {}
