//! Error 14: a list in a plain slot, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <passages> and so on.
    ")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
