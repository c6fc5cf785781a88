//! Error 5: a place for a history that no field holds.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief.", history, user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
