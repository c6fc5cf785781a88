//! Error 7: a function of the program that returns a user's text for a number, in `prompt!`.

use typed_prompt::prompt;

fn name_of(id: &u64) -> String {
    format!("user {id}")
}

fn ask(id: u64) {
    let _ = prompt!(system = "You help <id | self::name_of>.", user = "Go.");
}

fn main() {}
