//! Error 16: a loop variable that is not used, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <for p in passages>-</for> and so on.
    ")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
