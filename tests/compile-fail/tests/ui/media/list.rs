//! Error 14: a list of images in a slot.

use typed_prompt::{Media, Prompt};

#[derive(Prompt)]
#[prompt(user = "Compare: <photos>")]
struct Compare {
    photos: Vec<Media>,
}

fn main() {}
