//! Error 14: a field that holds no tools.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(tools, trusted)]
    tools: String,
}

fn main() {}
