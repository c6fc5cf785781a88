//! Error 17: an argument too many, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context | trim("a")>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
