//! Error 5: a key that is given twice.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", output = String, output = u8)]
struct Ask {
    question: String,
}

fn main() {}
