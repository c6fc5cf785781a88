//! Error 17: a filter for lists on a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ count | join(', ') }}")]
struct Ask {
    count: u32,
}

fn main() {}
