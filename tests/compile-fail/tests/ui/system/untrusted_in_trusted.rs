//! Error 7: an answer of a model that is called trusted by the type.

use typed_prompt::{Prompt, Trusted, Untrusted};

#[derive(Prompt)]
#[prompt(user = "You know <topic>.")]
struct Ask {
    topic: Trusted<Untrusted<String>>,
}

fn main() {}
