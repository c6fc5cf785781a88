//! Error 4: a filter that does not exist, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context | uper>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
