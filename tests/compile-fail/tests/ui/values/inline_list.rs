//! Error 14: a list in a slot of `prompt!`.

use typed_prompt::prompt;

fn ask(names: &[String]) {
    let _ = prompt!("Hello <names>");
}

fn main() {}
