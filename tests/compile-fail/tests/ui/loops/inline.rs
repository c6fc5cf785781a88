//! Error 16: a loop of `prompt!` over a value that is not a list.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("<for word in text><word></for>");
}

fn main() {}
