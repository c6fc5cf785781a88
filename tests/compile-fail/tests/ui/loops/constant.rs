//! A number as the list of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for i in 5>Step <i>\n</for>")]
struct Ask {}

fn main() {}
