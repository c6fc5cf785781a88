//! Error 5: an argument of `prompt!` that is given twice.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("Translate <x>.", x = text, x = text);
}

fn main() {}
