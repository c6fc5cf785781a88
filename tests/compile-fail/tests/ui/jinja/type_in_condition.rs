//! Error 14: a type that is neither true nor false.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if user %}yes{% endif %}")]
struct Ask {
    user: User,
}

struct User;

fn main() {}
