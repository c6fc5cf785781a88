//! Error 15: an `Option` that is smaller or larger.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if count > 1 %}many{% endif %}")]
struct Ask {
    count: Option<u32>,
}

fn main() {}
