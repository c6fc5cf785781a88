//! Error 17: a filter for a value of the wrong type, found by rustc.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello <person | upper>")]
struct Greet {
    person: Person,
}

fn main() {}
