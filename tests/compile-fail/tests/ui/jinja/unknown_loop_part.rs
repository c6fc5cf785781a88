//! Error 1: what a loop does not know.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs %}{{ loop.indx }}{{ x }}{% endfor %}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
