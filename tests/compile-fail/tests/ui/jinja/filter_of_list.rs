//! Error 17: a filter for strings on a list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs | upper }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
