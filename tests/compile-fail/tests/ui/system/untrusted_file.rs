//! Error 7: a field in the system message that is not trusted, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/untrusted.prompt")]
struct Ask {
    context: String,
}

fn main() {}
