//! Templates of run time belong to a prompt: of another struct `Fields` only makes the fields known.

use typed_prompt::{Dynamic, Fields};

#[derive(Fields)]
struct Ask {
    question: String,
}

fn main() {
    let _ = Dynamic::<Ask>::load("ask.prompt");
}
