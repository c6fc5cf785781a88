//! Error 3: a slot that is never closed, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<input:context, please"}"#)]
struct Ask {
    context: String,
}

fn main() {}
