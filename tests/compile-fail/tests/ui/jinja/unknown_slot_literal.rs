//! Error 1: a name that is not a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ qestion }} {{ question | upper }}")]
struct Ask {
    question: String,
}

fn main() {}
