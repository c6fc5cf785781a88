//! Error 14: a type alias of an `Option`.

use typed_prompt::Prompt;

type Maybe = Option<String>;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet {
    name: Maybe,
}

fn main() {}
