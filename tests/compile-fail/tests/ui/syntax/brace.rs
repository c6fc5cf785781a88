//! Error 3: an unclosed slot of the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer {input:question please", syntax = "brace")]
struct Ask {
    question: String,
}

fn main() {}
