//! Error 5: two templates.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<context>", template = "Use <context>")]
struct Ask {
    context: String,
}

fn main() {}
