//! Kinds: a string has no sign.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ -text }}")]
struct Ask {
    text: String,
}

fn main() {}
