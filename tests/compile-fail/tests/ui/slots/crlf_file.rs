//! Error 1: a slot that names no field, in a file of Windows with a byte order mark.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/crlf.prompt")]
struct Ask {
    context: String,
}

fn main() {}
