//! A slot of the Jinja dialect that ends with one brace.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer {{ question }.", syntax = "jinja")]
struct Ask {
    question: String,
}

fn main() {}
