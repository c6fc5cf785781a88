//! Error 16: a loop over an item that is not a list: a number, and a type that only rustc knows.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in people><for q in p><q></for></for>")]
struct Ask {
    people: Vec<u32>,
}

type Age = u32;

#[derive(Prompt)]
#[prompt(user = "<for p in people><for q in p><q></for></for>")]
struct Alias {
    people: Vec<Age>,
}

fn main() {}
