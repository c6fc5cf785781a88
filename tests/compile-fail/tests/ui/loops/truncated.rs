//! Error 17: a filter of texts that was meant to take the first items.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs | truncate(3)>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
