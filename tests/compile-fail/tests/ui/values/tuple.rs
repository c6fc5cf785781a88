//! Error 14: a tuple in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Use <pair>")]
struct Ask {
    pair: (String, u8),
}

fn main() {}
