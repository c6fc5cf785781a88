//! Error 15: an `Option` in a slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ note }}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
