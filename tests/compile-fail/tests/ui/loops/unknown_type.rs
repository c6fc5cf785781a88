//! Error 16: a loop over a type of the user's that is no list.

use typed_prompt::Prompt;

struct Crowd;

#[derive(Prompt)]
#[prompt(user = "<for p in people><p></for>")]
struct Ask {
    people: Crowd,
}

fn main() {}
