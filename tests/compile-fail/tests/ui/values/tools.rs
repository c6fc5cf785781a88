//! Error 14: a tools field of another type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(tools, trusted)]
    tools: String,
}

fn main() {}
