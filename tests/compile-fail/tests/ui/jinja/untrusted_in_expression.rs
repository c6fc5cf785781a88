//! Error 7: a user's text in an expression in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "Be {{ (tone ~ '!') | upper if polite else 'kind' }}.", user = "Hi")]
struct Ask {
    tone: String,
    polite: bool,
}

fn main() {}
