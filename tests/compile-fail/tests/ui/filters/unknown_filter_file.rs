//! Error 4: a filter that does not exist, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/unknown_filter.prompt")]
struct Ask {
    context: String,
}

fn main() {}
