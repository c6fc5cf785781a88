//! Error 14: a type of the user's that cannot fill a slot.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello <person>")]
struct Greet {
    person: Person,
}

fn main() {}
