//! Error 14: a variable that cannot fill a slot.

use typed_prompt::prompt;

struct Person;

fn greet(person: &Person) {
    let _ = prompt!("Hello <person>");
}

fn main() {}
