//! Kinds: a string and a number, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{{ text + 1 }}"}"#)]
struct Ask {
    text: String,
}

fn main() {}
