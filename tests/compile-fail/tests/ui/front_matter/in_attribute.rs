//! Error 5: a key in front matter and in the attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_in_attribute.prompt", format = llama3, syntax = "angle")]
struct Ask {
    question: String,
}

fn main() {}
