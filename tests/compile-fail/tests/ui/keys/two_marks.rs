//! Error 5: two keys of a field that exclude each other.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(skip, tools)]
    tools: Vec<typed_prompt::Tool>,
}

fn main() {}
