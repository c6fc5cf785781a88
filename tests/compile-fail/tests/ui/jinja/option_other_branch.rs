//! Error 15: an `Option` in the branch in which it is `None`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if note %}{{ note }}{% else %}{{ note }}{% endif %}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
