//! Error 14: a list in a plain slot, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<passages>"}"#)]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
