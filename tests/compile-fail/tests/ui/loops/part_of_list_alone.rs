//! Error 16: a field of a list, outside of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<docs.text>")]
struct Ask {
    docs: Vec<Doc>,
}

struct Doc {
    text: String,
}

fn main() {}
