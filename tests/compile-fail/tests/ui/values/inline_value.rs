//! Error 14: an assigned value that cannot fill a slot.

use typed_prompt::prompt;

struct Person;

fn ask(person: Person) {
    let _ = prompt!("Hello <who>", who = person);
}

fn main() {}
