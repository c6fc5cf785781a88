//! Error 5: a fragment with an answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<name>", output = bool)]
struct Part {
    name: String,
}

fn main() {}
