//! A prompt whose fields cannot be named at run time.

use typed_prompt::{Dynamic, Prompt};

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
}

fn main() {
    let _ = Dynamic::<Ask>::load("ask.prompt");
}
