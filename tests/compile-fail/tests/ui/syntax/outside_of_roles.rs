//! Error 3: text outside of the roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("Note: <system>Be brief.</system><user>Answer <question></user>")]
struct Ask {
    question: String,
}

fn main() {}
