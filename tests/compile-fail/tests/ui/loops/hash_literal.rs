//! Error 16: a loop over a collection without an order.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <for p in passages><p></for>")]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
