//! Error 15: a default for a value that is never `None`, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context ?? "none">"}"#)]
struct Ask {
    context: String,
}

fn main() {}
