//! Error 7: a string in the system message of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(system = "Be <text>.", user = "Go.");
}

fn main() {}
