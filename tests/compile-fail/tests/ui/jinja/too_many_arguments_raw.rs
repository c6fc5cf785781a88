//! Error 17: more arguments than a filter takes, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{{ text | upper(2) }}"}"#)]
struct Ask {
    text: String,
}

fn main() {}
