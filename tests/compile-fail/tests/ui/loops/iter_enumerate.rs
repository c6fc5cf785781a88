//! Error 16: `iter().enumerate()` of the list of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for (i, doc) in docs.iter().enumerate()><i>. <doc></for>")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
