//! Error 22: an image below another name, through a filter of texts.

use typed_prompt::{Media, Prompt};

type Photo = Media;

#[derive(Prompt)]
#[prompt(user = "Describe <photo | display>.")]
struct Describe {
    photo: Photo,
}

fn main() {}
