//! Error 1: a slot without a field, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<contxt>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
