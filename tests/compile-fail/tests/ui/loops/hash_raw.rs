//! Error 16: a loop over a set without an order, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<for p in passages><p></for>"}"#)]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
