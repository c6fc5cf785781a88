//! Error 16: a loop over a set without an order, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <for p in passages><p></for> and so on.
    ")]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
