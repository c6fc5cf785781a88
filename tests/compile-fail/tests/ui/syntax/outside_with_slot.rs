//! Error 3: text with slots outside of the roles is one mistake.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system>Answer <question> for <name>.")]
struct Ask {
    question: String,
    name: String,
}

fn main() {}
