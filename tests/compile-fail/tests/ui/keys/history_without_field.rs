//! Error 5: a position for a history without a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief.", history, user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
