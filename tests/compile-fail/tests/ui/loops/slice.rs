//! A loop over a slice.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs[:3]>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
