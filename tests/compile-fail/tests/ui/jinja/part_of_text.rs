//! Kinds: a string has no attributes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text.length }}")]
struct Ask {
    text: String,
}

fn main() {}
