//! Error 17: a filter without its argument, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context | truncate>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
