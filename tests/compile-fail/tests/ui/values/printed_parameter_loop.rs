//! Error 14: a type parameter in a loop, whose bound is `Debug`.

use std::fmt::Debug;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for item in items>- <item>\n</for>")]
struct Describe<'a, T: Debug> {
    items: &'a [T],
}

fn main() {}
