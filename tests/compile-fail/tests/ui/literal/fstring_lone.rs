//! Error 3: JSON without doubled braces in the f-string dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = r#"Answer {question} as {"answer": "…"}."#)]
struct Ask {
    question: String,
}

fn main() {}
