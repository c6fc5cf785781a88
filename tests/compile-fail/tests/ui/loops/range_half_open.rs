//! Swift's range as the list of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for i in 1..<n><i></for>")]
struct Ask {
    n: u32,
}

fn main() {}
