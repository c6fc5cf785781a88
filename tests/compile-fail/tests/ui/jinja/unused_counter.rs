//! Error 2: a `set` in a loop has no effect after it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% set n = 0 %}{% for x in xs %}{{ x }}{% if x %}{% set n = n + 1 %}{% endif %}{% endfor %}{{ n }}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
