//! `join` of a list of pairs.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<photos | join(', ')>")]
struct Ask {
    photos: Vec<(String, typed_prompt::Media)>,
}

#[derive(Prompt)]
#[prompt(user = "<pairs | join(', ')>")]
struct Texts {
    pairs: Vec<(String, u8)>,
}

fn main() {}
