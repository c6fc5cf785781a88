//! Error 2: a field without a slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text }}")]
struct Ask {
    text: String,
    note: String,
}

fn main() {}
