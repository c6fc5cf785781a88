//! Error 3: a pair in a loop, destructured as in Rust.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for (key, value) in facts><key>: <value></for>")]
struct Ask {
    facts: Vec<(String, String)>,
}

fn main() {}
