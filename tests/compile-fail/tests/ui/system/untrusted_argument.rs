//! Error 7: an answer of a model as the argument of a function.

use typed_prompt::Untrusted;

#[typed_prompt::function(system = "You know <topic>.", user = "Go.")]
fn ask(topic: Untrusted<String>) -> String;

fn main() {}
