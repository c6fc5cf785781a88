//! Error 14: several types that cannot fill their slots.

use typed_prompt::Prompt;

struct Person;

#[derive(Prompt)]
#[prompt(user = "<guest> meets <host>")]
struct Meet {
    guest: Person,
    host: Person,
}

fn main() {}
