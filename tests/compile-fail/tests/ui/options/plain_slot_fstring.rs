//! Error 15 in an f-string, which has no conditions.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "{question} {note}")]
struct Ask {
    question: String,
    note: Option<String>,
}

fn main() {}
