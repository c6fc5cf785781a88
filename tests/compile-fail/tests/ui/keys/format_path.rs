//! Error 4: the path of a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = format::LLAMA3)]
struct Ask {
    question: String,
}

fn main() {}
