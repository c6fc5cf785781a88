//! Error 17: a function of the user's with other arguments.

use typed_prompt::Prompt;

fn shout(text: &str) -> String {
    text.to_uppercase()
}

#[derive(Prompt)]
#[prompt(user = "Hello <name | self::shout(3)>")]
struct Greet {
    name: String,
}

fn main() {}
