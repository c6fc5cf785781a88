//! Error 4: a template that is not a literal.

use typed_prompt::Prompt;

const TEXT: &str = "<question>";

#[derive(Prompt)]
#[prompt(user = TEXT)]
struct Ask {
    question: String,
}

fn main() {}
