//! Kinds: a list has items, not attributes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs.first }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
