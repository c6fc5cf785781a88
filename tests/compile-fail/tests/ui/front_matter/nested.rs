//! Nested YAML, as in Dotprompt and Prompty.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_nested.prompt")]
struct Ask {
    question: String,
}

fn main() {}
