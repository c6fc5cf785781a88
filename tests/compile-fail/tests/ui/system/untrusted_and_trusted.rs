//! Error 7: an answer of a model in a trusted field.

use typed_prompt::{Prompt, Untrusted};

#[derive(Prompt)]
#[prompt(system = "You know <topics | join(\", \")>.", user = "Go.")]
struct Ask {
    #[prompt(trusted)]
    topics: Vec<Untrusted<String>>,
}

fn main() {}
