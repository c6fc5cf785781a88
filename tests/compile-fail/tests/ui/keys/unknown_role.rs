//! Error 4: a role that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(sytem = "Be brief.", user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
