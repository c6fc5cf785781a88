//! `Fields` belongs to a prompt.

use typed_prompt::Fields;

#[derive(Fields)]
struct Ask {
    question: String,
}

fn main() {}
