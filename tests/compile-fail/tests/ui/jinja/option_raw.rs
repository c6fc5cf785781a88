//! Error 15: an `Option` in a slot, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{{ note }}"}"#)]
struct Ask {
    note: Option<String>,
}

fn main() {}
