//! Error 1: a part of a pair, as of a tuple in Rust.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for p in pairs><p.0></for>")]
struct Ask {
    pairs: Vec<(String, String)>,
}

fn main() {}
