//! Error 1: tags that were pasted.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<thinking> Answer <question>.\n<steps> and <notes> are allowed.")]
struct Ask {
    question: String,
}

fn main() {}
