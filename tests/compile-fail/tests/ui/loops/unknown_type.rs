//! Error 16: a loop over a user-defined type that is not a list.

use typed_prompt::Prompt;

struct Crowd;

#[derive(Prompt)]
#[prompt(user = "<for p in people><p></for>")]
struct Ask {
    people: Crowd,
}

fn main() {}
