//! Error 7: a field in the system message that is not trusted.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Answer this: <context>", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
