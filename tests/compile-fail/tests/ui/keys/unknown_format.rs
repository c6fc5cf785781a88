//! Error 4: a format that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = lama3)]
struct Ask {
    question: String,
}

fn main() {}
