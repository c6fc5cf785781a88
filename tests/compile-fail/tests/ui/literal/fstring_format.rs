//! Error 3: a format in the f-string dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "Answer {question} for {price:.2f} EUR.")]
struct Ask {
    question: String,
    price: f64,
}

fn main() {}
