//! Role tags with capitals, in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", template = "<System>Be kind.</System><User>{question}</User>")]
struct Ask {
    question: String,
}

fn main() {}
