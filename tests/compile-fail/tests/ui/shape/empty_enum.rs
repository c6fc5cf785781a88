//! Error 11: an enum without variants.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Never {}

fn main() {}
