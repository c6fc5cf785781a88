//! A variant around a type that is not a struct.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    Say(String),
}

fn main() {}
