//! Error 16: a loop of `prompt!` over what is no list.

use typed_prompt::prompt;

fn ask(text: &str) {
    let _ = prompt!("<for word in text><word></for>");
}

fn main() {}
