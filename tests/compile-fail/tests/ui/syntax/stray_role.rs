//! Error 3: the end of a role that was not opened.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<user>Answer <question></user></system>")]
struct Ask {
    question: String,
}

fn main() {}
