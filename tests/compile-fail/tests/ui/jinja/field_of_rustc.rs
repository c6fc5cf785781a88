//! A field that a type does not have.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ user.nmae }}")]
struct Ask {
    user: User,
}

struct User {
    name: String,
}

fn main() {}
