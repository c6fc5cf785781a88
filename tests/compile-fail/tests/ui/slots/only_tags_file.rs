//! Error 10: tags where a slot is meant, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/only_tags.prompt")]
struct Ask {
    context: String,
}

fn main() {}
