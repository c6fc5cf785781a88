//! The same with a byte order mark and Windows line breaks.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_windows.prompt")]
struct Ask {
    question: String,
}

fn main() {}
