//! Error 1: a slot without a field, in a file with Windows line breaks and a byte order mark.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/crlf.prompt")]
struct Ask {
    context: String,
}

fn main() {}
