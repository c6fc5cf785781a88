//! Error 3: a slot of the brace dialect that is never closed, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "{input:context"}"#, syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
