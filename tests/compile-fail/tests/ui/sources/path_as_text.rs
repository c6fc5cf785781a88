//! The path of a template instead of its text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("prompts/ask.prompt")]
struct Ask<'a> {
    question: &'a str,
}

fn main() {}
