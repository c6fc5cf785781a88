//! A variant around what is no struct.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    Say(String),
}

fn main() {}
