//! A slot without its closing bracket, at the end of a line.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Dear <name,\nabout <name>:\n")]
struct Ask {
    name: String,
}

fn main() {}
