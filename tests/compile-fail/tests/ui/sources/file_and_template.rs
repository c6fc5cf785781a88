//! Error 5: a file and a template.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("Use <context>", file = "prompts/right.prompt")]
struct Ask {
    context: String,
}

fn main() {}
