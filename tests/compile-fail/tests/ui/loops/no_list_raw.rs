//! Error 16: a loop over a string, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<for p in context><p></for>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
