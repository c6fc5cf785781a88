//! A loop over a part of its list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs limit 3>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
