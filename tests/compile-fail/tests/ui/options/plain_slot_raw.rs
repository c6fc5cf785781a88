//! Error 15: an `Option` in a plain slot, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context>"}"#)]
struct Ask {
    context: Option<String>,
}

fn main() {}
