//! A struct with a parameter, whose parts cannot be read.

use typed_prompt::output::Partial;

#[derive(Partial)]
struct Page<T> {
    items: Vec<T>,
}

fn main() {}
