//! A template that is a fragment is one.

#[typed_prompt::template(fragment = "<title> (<year>", fields(year: u16, titel))]
struct Book;

fn main() {}
