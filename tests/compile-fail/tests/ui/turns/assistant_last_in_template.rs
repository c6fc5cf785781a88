//! Error 6: the last message is the assistant's, in the literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    "
    <user>
    <question>
    </user>
    <assistant>Yes.</assistant>",
    output = bool
)]
struct Ask {
    question: String,
}

fn main() {}
