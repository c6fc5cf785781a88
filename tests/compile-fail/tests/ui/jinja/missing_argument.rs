//! Error 17: an argument that a filter needs.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | replace('a') }}")]
struct Ask {
    text: String,
}

fn main() {}
