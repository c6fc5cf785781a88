//! A statement of another language that reads a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<extends \"base.prompt\"><question>")]
struct Ask {
    question: String,
}

fn main() {}
