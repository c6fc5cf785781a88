//! Error 2: a `set` in a loop ends with the round.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% set n = 0 %}{% for x in xs %}{{ x }}{% set n = n + 1 %}{% endfor %}{{ n }}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
