//! A set of tools that borrows.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action<'a> {
    Keep { text: &'a str },
}

fn main() {}
