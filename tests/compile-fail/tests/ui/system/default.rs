//! Error 7: an untrusted default.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be <tone ?? fallback>.", user = "Go.")]
struct Ask {
    #[prompt(trusted)]
    tone: Option<String>,
    fallback: String,
}

fn main() {}
