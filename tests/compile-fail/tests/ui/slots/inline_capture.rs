//! Error 1: a slot of `prompt!` without a variable.

use typed_prompt::prompt;

fn ask(language: &str) {
    let _ = prompt!("Translate this into <langauge>.");
}

fn main() {}
