//! Error 1: JSON whose braces are not doubled, in the dialect fstring.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "fstring",
    user = r#"Answer {question} as {"answer": {"text": "…"}, "cited": []}."#
)]
struct Ask {
    question: String,
}

fn main() {}
