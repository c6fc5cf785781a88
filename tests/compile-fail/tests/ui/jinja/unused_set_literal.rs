//! Error 2: a `set` that is not used.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% set loud = text | upper %}{{ text }}")]
struct Ask {
    text: String,
}

fn main() {}
