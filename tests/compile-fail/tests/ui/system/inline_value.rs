//! Error 7: an assigned string in the system message of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(system = "Be <tone>.", user = "Go.", tone = text);
}

fn main() {}
