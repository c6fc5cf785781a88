//! Kinds: a string and a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text + 1 }}")]
struct Ask {
    text: String,
}

fn main() {}
