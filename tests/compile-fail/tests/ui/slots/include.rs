//! A file is included in the Jinja dialect only.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<include 'rules.prompt'> <question>")]
struct Ask {
    question: String,
}

fn main() {}
