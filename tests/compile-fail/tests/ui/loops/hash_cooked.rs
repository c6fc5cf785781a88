//! Error 16: a loop over a set without an order, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<for p in passages><p></for> \
        and no more")]
struct Ask {
    passages: std::collections::HashSet<String>,
}

fn main() {}
