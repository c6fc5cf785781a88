//! Error 1: a name that only one branch sets.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if hot %}{% set word = 'hot' %}{% endif %}{{ word }}")]
struct Ask {
    hot: bool,
}

fn main() {}
