//! Keys are separated by commas.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief." user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
