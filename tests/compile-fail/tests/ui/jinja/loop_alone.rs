//! Error 1: the loop itself is not a value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs %}{{ loop }}{{ x }}{% endfor %}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
