//! Error 15: an `Option` of a fragment in a plain slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "<name>")]
struct Part {
    name: String,
}

#[derive(Prompt)]
#[prompt(user = "<part>")]
struct Ask {
    part: Option<Part>,
}

fn main() {}
