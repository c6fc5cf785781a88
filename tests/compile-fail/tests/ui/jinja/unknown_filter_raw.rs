//! Error 4: a filter that does not exist, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{{ text | uper }}"}"#)]
struct Ask {
    text: String,
}

fn main() {}
