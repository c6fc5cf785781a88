//! Error 14: a type parameter whose bound is `Display`.

use std::fmt::Display;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Describe <item>.")]
struct Describe<T: Display> {
    item: T,
}

fn main() {}
