//! Front matter after a comment and an empty line.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_after_comment.prompt")]
struct Ask {
    question: String,
}

fn main() {}
