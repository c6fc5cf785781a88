//! Error 14: a type that cannot fill a slot, in a literal of several lines.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <person> and so on.
    ")]
struct Ask {
    person: Person,
}

fn main() {}
