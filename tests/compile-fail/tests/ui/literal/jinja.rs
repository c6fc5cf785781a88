//! Error 1: a slot of the brace dialect in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "Answer {{ question }}, that is {question}.")]
struct Ask {
    question: String,
}

fn main() {}
