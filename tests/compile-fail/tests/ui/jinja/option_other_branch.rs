//! Error 15: an `Option` in the branch where it is not there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if note %}{{ note }}{% else %}{{ note }}{% endif %}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
