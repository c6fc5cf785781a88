//! Run-time templates belong to a prompt; on another struct, `Fields` only describes the fields.

use typed_prompt::{Dynamic, Fields};

#[derive(Fields)]
struct Ask {
    question: String,
}

fn main() {
    let _ = Dynamic::<Ask>::load("ask.prompt");
}
