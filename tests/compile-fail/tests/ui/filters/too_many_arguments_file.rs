//! Error 17: an argument too many, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/too_many_arguments.prompt")]
struct Ask {
    context: String,
}

fn main() {}
