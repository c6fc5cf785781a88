//! Error 6: two system messages.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief.", system = "Be kind.", user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
