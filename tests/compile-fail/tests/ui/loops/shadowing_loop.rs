//! Error 16: a loop variable with the name of another one around it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in people><for p in people><p></for></for>")]
struct Ask {
    people: Vec<String>,
}

fn main() {}
