//! Error 10: tags where a slot is meant, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context>here</context>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
