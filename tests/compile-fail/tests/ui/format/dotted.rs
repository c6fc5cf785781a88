//! Error 4: a format with a dot in its name.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = llama3.1)]
struct Ask {
    question: String,
}

fn main() {}
