//! Error 4: a role of `prompt!` that does not exist.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(sytem = "Be brief.", user = "Translate <text>");
}

fn main() {}
