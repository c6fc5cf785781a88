//! Error 16: a hash map in a slot.

use std::collections::HashMap;

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "The scores: <scores>")]
struct Ask {
    scores: HashMap<String, u32>,
}

fn main() {}
