//! Error 3: a block of `prompt!` that is never closed.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate: <if text><text>");
}

fn main() {}
