//! Error 16: a loop variable with the name of a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ doc }}{% for doc in docs %}{{ doc }}{% endfor %}")]
struct Ask {
    doc: String,
    docs: Vec<String>,
}

fn main() {}
