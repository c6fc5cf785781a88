//! Error 14: a field of a field that cannot fill a slot.

use typed_prompt::Prompt;

struct Person;

struct Room {
    owner: Person,
}

#[derive(Prompt)]
#[prompt(user = "Hello <room.owner>")]
struct Greet {
    room: Room,
}

fn main() {}
