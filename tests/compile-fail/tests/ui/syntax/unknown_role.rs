//! Error 4: a block with an unknown role.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<sytem>Be brief.</sytem><user>Answer <question></user>")]
struct Ask {
    question: String,
}

fn main() {}
