//! Error 3: a role that is never closed.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><user>Answer <question>")]
struct Ask {
    question: String,
}

fn main() {}
