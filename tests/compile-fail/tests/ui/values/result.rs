//! Error 14: a `Result` in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Use <context>")]
struct Ask {
    context: Result<String, String>,
}

fn main() {}
