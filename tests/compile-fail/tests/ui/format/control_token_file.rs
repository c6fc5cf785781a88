//! Error 8: a control token of the format, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/control_token.prompt", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
