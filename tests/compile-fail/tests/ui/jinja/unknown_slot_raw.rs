//! Error 1: a name that is not a field, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = r#"{"question": "{{ qestion }} {{ question | upper }}"}"#)]
struct Ask {
    question: String,
}

fn main() {}
