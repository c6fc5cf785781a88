//! Error 14: a type parameter in an `Option`, with a `where` clause.

use std::fmt;
use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Describe <item ?? 'nothing'>.")]
struct Describe<T>
where
    T: Clone + fmt::Display,
{
    item: Option<T>,
}

fn main() {}
