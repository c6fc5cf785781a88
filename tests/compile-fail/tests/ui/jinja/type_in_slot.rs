//! Error 14: a type that cannot be rendered.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ user }}")]
struct Ask {
    user: User,
}

struct User;

fn main() {}
