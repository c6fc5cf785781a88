//! Error 1: a slot of another language in a file of the dialect jinja.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/lookalike_jinja.prompt", syntax = "jinja")]
struct Ask {
    question: String,
}

fn main() {}
