//! Error 4: a function of the user's that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name | self::shout>")]
struct Greet {
    name: String,
}

fn main() {}
