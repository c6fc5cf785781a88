//! A choice of other languages.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<formal ? 'Sir' : 'Hi'> <q>")]
struct Ask {
    formal: bool,
    q: String,
}

fn main() {}
