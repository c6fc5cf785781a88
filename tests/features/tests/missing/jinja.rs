//! `syntax = "jinja"` without the feature `jinja`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% if formal %}Dear {% endif %}{{ name | upper }}"
)]
struct Greeting {
    formal: bool,
    name: String,
}

fn main() {}
