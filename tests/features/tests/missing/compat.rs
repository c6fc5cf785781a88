//! A layout of another system without the feature `compat`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hi", format = typed_prompt::compat::lamini::LLAMA2_FAMILY)]
struct Greeting {}

fn main() {}
