//! Error 14: a type that cannot fill a slot of the brace dialect.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello {person}", syntax = "brace")]
struct Ask {
    person: Person,
}

fn main() {}
