//! A list of constants in a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for i in [1, 2, 3]>Step <i>\n</for>")]
struct Ask {}

fn main() {}
