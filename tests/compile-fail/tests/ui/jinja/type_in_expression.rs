//! Error 14: a type that is not a value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ user | upper }}")]
struct Ask {
    user: User,
}

struct User;

fn main() {}
