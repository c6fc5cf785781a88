//! Error 2: fields without slots, whose types need more than a name.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    pages: Vec<String>,
    note: Option<String>,
    by_name: std::collections::HashMap<String, u8>,
    question: String,
}

fn main() {}
