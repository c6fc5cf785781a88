//! Error 17: a filter's argument of another type, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/wrong_argument.prompt")]
struct Ask {
    context: String,
}

fn main() {}
