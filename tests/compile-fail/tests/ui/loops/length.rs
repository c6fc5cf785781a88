//! Error 1: a method of a list, in a slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "There are <items.len()> items.")]
struct Ask {
    items: Vec<String>,
}

fn main() {}
