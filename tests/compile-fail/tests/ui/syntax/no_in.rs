//! Error 3: a `<for>` without its `in`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p passages><p></for>")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
