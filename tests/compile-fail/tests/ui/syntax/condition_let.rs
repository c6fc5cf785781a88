//! Error 3: Rust's `if let`, where a condition unwraps automatically.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if let Some(text) = note>Note: <note></if>")]
struct Ask {
    note: Option<String>,
}

fn main() {}
