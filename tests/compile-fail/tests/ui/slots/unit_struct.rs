//! Error 11: slots where there are no fields.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello <name>")]
struct Greet;

fn main() {}
