//! Error 1: doubled braces of Python in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", user = r#"Answer {question} as {{ "answer": "…" }}."#)]
struct Ask {
    question: String,
}

fn main() {}
