//! Error 7: an answer of a model in the type `Trusted`.

use typed_prompt::{Prompt, Trusted, Untrusted};

#[derive(Prompt)]
#[prompt(user = "You know <topic>.")]
struct Ask {
    topic: Trusted<Untrusted<String>>,
}

fn main() {}
