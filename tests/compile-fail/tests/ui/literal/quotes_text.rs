//! Quotes of the text end the string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Say "hello" to <name>.")]
struct Ask {
    name: String,
}

fn main() {}
