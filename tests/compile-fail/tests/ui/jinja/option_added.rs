//! Error 15: an `Option` in a sum.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ count + 1 }}")]
struct Ask {
    count: Option<u32>,
}

fn main() {}
