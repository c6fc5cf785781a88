//! Error 5: two sources of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text>", user = "<text>");
}

fn main() {}
