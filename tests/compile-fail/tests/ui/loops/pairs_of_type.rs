//! Error 16: two names over a list whose items are not pairs, which only rustc can detect.

use typed_prompt::Prompt;

struct Passage {
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<for i, passage in passages>[<i>] <passage.text></for>")]
struct Ask {
    passages: Vec<Passage>,
}

fn main() {}
