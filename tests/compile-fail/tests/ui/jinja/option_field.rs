//! Error 15: a field of what may not be there.

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
