//! A path in the key `crate` that does not exist.

use tp::{Prompt, Tools};

#[derive(Prompt)]
#[prompt(user = "<question>", crate = "typed_prompt")]
struct Ask {
    question: String,
}

#[derive(Tools)]
#[tool(crate = tp::prompts)]
enum Action {
    Stop,
}

fn main() {}
