//! Error 14: items that cannot fill a slot.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "Hello <for p in people><p>, </for>")]
struct Greet {
    people: Vec<Person>,
}

fn main() {}
