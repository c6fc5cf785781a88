//! Error 14: a type parameter of a function whose bound is `Display`.

use std::fmt::Display;

#[typed_prompt::function(user = "Describe <item>.")]
fn describe<T: Display>(item: T) -> String;

fn main() {}
