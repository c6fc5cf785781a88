//! Nested YAML, as Dotprompt and Prompty have it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_nested.prompt")]
struct Ask {
    question: String,
}

fn main() {}
