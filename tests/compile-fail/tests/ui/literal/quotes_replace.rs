//! Quotes of two filter arguments, and a key after the string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question | replace("a", "b")>", output = bool)]
struct Ask {
    question: String,
}

fn main() {}
