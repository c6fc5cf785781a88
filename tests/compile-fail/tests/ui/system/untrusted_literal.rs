//! Error 7: a field in the system message that nobody vouches for.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Answer this: <context>", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
