//! Error 4: a dialect of `prompt!` that does not exist.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate {text}", syntax = "braces");
}

fn main() {}
