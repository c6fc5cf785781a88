//! Error 15: an `Option` that only rustc can detect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ user.name }}")]
struct Ask {
    user: User,
}

struct User {
    name: Option<String>,
}

fn main() {}
