//! Error 4: a method of Rust that has a filter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if docs.len() > 1 %}Several.{% endif %}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
