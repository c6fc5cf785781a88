//! Error 15: an `Option` in an `Option`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if note %}{{ note }}{% endif %}")]
struct Ask {
    note: Option<Option<String>>,
}

fn main() {}
