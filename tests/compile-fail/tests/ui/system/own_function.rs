//! Error 7: a function of the program that returns a user's text for a number.

use typed_prompt::Prompt;

fn name_of(id: &u64) -> String {
    format!("user {id}")
}

#[derive(Prompt)]
#[prompt(system = "You help <id | self::name_of>.", user = "Go.")]
struct Ask {
    id: u64,
}

fn main() {}
