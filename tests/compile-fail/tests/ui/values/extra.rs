//! Error 14: an extra field that cannot be written.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(extra)]
    knowledge: Vec<String>,
}

fn main() {}
