//! Error 17: a filter's argument of another type, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context | truncate("9")>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
