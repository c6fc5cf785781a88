//! Error 16: a loop over a type that is not a list, which only rustc can detect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in user.name %}{{ x }}{% endfor %}")]
struct Ask {
    user: User,
}

struct User {
    name: u32,
}

fn main() {}
