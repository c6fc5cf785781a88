//! Error 14: the length of a list as its attribute.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs.length }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
