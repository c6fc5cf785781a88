//! Kinds: a number has no slices.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ count[1:] }}")]
struct Ask {
    count: u32,
}

fn main() {}
