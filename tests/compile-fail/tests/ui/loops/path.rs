//! Error 16: a loop over a field of a field that is not a list.

use typed_prompt::Prompt;

struct Room {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "<for p in room.name><p></for>")]
struct Ask {
    room: Room,
}

fn main() {}
