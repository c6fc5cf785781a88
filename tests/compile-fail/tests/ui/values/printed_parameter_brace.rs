//! Error 14: a type parameter whose bound is `Display`, in the brace dialect.

use std::fmt::Display;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "Describe {item}.")]
struct Describe<T: Display> {
    item: T,
}

fn main() {}
