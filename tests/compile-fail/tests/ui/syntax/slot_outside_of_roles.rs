//! Error 3: a slot outside of the roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><question>")]
struct Ask {
    question: String,
}

fn main() {}
