//! Error 16: a loop over what may not be there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs %}{{ x }}{% endfor %}")]
struct Ask {
    xs: Option<Vec<String>>,
}

fn main() {}
