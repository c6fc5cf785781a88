//! Three mistakes of one file are three errors.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/two_mistakes.prompt")]
struct Ask {
    product: String,
    context: String,
}

fn main() {}
