//! Error 16: a loop over a string, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/no_list.prompt")]
struct Ask {
    context: String,
}

fn main() {}
