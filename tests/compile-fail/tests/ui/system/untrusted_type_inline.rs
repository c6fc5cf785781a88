//! Error 7: an answer of a model in the system message of `prompt!`.

use typed_prompt::{Untrusted, prompt};

fn ask(topic: Untrusted<String>) {
    let _ = prompt!(system = "You know <topic>.", user = "Go.");
}

fn main() {}
