//! Error 4: an unknown filter of `prompt!`.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text | uper>");
}

fn main() {}
