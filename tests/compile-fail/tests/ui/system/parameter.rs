//! Error 7: a type parameter in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You know <context>.", user = "Go.")]
struct Ask<T> {
    context: T,
}

fn main() {}
