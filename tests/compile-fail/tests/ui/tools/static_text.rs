//! A parameter that borrows.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    Keep { text: &'static str },
}

fn main() {}
