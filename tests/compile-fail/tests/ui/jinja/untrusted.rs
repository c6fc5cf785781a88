//! Error 7: a user's text in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "Be {{ tone }}.", user = "Hi")]
struct Ask {
    tone: String,
}

fn main() {}
