//! Error 15: an optional image outside of a condition.

use typed_prompt::{Media, Prompt};

#[derive(Prompt)]
#[prompt(user = "Describe: <photo>")]
struct Describe {
    photo: Option<Media>,
}

fn main() {}
