//! Error 1: a loop variable after its loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for item in xs %}{{ item }}{% endfor %}{{ item }}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
