//! A typed answer without the feature `schema`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hi", output = Vec<u8>)]
struct Greeting {}

fn main() {}
