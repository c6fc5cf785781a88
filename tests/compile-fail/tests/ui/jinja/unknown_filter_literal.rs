//! Error 4: a filter that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | uper }}")]
struct Ask {
    text: String,
}

fn main() {}
