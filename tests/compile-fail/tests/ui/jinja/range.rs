//! A range of Rust in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for i in 1..=n %}{{ i }}{% endfor %}")]
struct Ask {
    n: u32,
}

fn main() {}
