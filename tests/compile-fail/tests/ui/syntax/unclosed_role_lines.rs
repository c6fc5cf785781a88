//! Error 3: a role that is never closed, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    "
    <system>
    Be brief.
    <user>
    Answer <question>
    </user>"
)]
struct Ask {
    question: String,
}

fn main() {}
