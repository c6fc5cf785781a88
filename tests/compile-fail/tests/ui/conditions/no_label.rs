//! Error 16: an enum without labels, compared with a string.

use typed_prompt::Prompt;

struct Mode;

#[derive(Prompt)]
#[prompt(user = "Hi <name>.<if mode == \"brief\"> Answer in one sentence.</if>")]
struct Ask {
    name: String,
    mode: Mode,
}

fn main() {}
