//! Error 17: a filter without its argument, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/missing_argument.prompt")]
struct Ask {
    context: String,
}

fn main() {}
