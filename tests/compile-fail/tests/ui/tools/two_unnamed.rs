//! Two parameters without names.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    /// Adds.
    Add(i64, Vec<u8>),
}

fn main() {}
