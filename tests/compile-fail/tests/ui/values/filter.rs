//! Error 17: a filter for what it cannot take is found by rustc.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello <person | upper>")]
struct Greet {
    person: Person,
}

fn main() {}
