//! An argument of a filter as in Liquid.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ name | default: 'x' }}")]
struct Ask {
    name: Option<String>,
}

fn main() {}
