//! Error 5: `prompt!` without a template.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!(text = text);
}

fn main() {}
