//! Error 3: blocks that cross, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<if context><for p in passages></if><p></for>"}"#)]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
