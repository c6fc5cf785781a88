//! Error 1: a name that is not a field, in an expression.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ count + 1 if total > 2 else cuont }}")]
struct Ask {
    count: u32,
    total: u32,
}

fn main() {}
