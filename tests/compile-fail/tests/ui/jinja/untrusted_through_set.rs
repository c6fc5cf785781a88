//! Error 7: a user's text in a variable of `set`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "{% set loud = tone | upper %}Be {{ loud }}.", user = "Hi")]
struct Ask {
    tone: String,
}

fn main() {}
