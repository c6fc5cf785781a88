//! Error 14: an `Option` behind an alias.

use typed_prompt::Prompt;

type Maybe = Option<String>;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet {
    name: Maybe,
}

fn main() {}
