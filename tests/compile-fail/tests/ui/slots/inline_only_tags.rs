//! Error 10: tags where a slot of `prompt!` is meant.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text>this</text>", text = text);
}

fn main() {}
