//! Error 16: a loop over an `Option`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs %}{{ x }}{% endfor %}")]
struct Ask {
    xs: Option<Vec<String>>,
}

fn main() {}
