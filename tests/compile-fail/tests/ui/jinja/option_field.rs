//! Error 15: a field of an `Option`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ user.name }}")]
struct Ask {
    user: Option<User>,
}

struct User {
    name: String,
}

fn main() {}
