//! Error 14: a type that cannot fill a slot of a variant.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Hello <person>")]
    Plan { person: Person },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
