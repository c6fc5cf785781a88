//! Error 7: an untrusted `Option` in a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be kind.<if note> Mind: <note></if>", user = "Go.")]
struct Ask {
    note: Option<String>,
}

fn main() {}
