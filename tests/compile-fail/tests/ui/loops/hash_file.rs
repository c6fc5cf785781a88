//! Error 16: a loop over a collection without an order, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/hash.prompt")]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
