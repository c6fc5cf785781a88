//! Error 15: an `Option` through a filter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ note | upper }}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
