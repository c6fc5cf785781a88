//! A variant with parentheses and nothing in them.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    Now(),
}

fn main() {}
