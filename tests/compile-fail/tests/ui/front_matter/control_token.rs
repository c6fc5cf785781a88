//! Error 8: a control token of the format that front matter names.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_control_token.prompt")]
struct Ask {
    question: String,
}

fn main() {}
