//! Error 12: a filter that is left out.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs | random }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
