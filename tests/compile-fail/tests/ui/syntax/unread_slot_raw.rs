//! Error 3: a slot that cannot be read, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context | join("a" "b")>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
