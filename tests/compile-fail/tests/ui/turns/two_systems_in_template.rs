//! Error 6: two system messages in one literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><system>Be kind.</system><user><question></user>")]
struct Ask {
    question: String,
}

fn main() {}
