//! A wrong `prompt!` is the only error, and of the right type.

use typed_prompt::prompt;

fn ask(text: &str, extra: u8) -> usize {
    let messages = prompt!("Translate <if text><text>.", other = extra);
    messages.unwrap().len()
}

fn main() {}
