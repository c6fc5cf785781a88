//! A union as a set of tools.

use typed_prompt::Tools;

#[derive(Tools)]
union Action {
    text: u8,
    number: i8,
}

fn main() {}
