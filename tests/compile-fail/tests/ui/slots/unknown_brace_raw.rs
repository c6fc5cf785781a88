//! Error 1: a slot of the brace dialect without a field, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "{contxt}"}"#, syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
