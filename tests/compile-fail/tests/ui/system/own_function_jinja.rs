//! Error 7: a function of the program that returns a user's text for a number, through a variable.

use typed_prompt::Prompt;

fn name_of(id: &u64) -> String {
    format!("user {id}")
}

#[derive(Prompt)]
#[prompt(
    system = "{% set name = id | self::name_of %}You help {{ name }}.",
    user = "Go.",
    syntax = "jinja"
)]
struct Ask {
    id: u64,
}

fn main() {}
