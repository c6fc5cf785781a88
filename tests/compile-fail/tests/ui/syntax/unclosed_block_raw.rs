//! Error 3: a block that is never closed, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<if context>Context: <context>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
