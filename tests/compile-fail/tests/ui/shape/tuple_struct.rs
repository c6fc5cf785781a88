//! Error 11: fields without names.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet(String);

fn main() {}
