//! Error 8: control tokens of a family in a prompt without a format, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/pasted_tokens.prompt")]
struct Ask {
    question: String,
}

fn main() {}
