//! Error 3: a role of `prompt!` that is never closed.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("<user>Translate <text>");
}

fn main() {}
