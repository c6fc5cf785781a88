//! Error 2: a `set` that is not used, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{% set loud = text | upper %}{{ text }}"}"#)]
struct Ask {
    text: String,
}

fn main() {}
