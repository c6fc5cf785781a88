//! Error 6: the assistant has the last word in the literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    "<user>
    <question>
    </user>
    <assistant>Yes.</assistant>",
    output = bool
)]
struct Ask {
    question: String,
}

fn main() {}
