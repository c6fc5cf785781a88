//! Error 4: the beginning of a key.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "You work for <company>.", user = "Hi")]
struct Ask {
    #[prompt(trust)]
    company: String,
}

fn main() {}
