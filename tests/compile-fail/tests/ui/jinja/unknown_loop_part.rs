//! Error 1: an unknown attribute of `loop`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for x in xs %}{{ loop.indx }}{{ x }}{% endfor %}")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
