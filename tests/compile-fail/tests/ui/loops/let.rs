//! A loop with let.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for let x in xs>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
