//! Error 17: a filter of `prompt!` without its argument.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <text | truncate>");
}

fn main() {}
