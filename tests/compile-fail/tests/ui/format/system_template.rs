//! Error 8: instructions in a template with roles, for a family that does not support them.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    template = "
<system>Answer in verse.</system>
<user><question></user>
",
    format = gemma2
)]
struct Ask {
    question: String,
}

fn main() {}
