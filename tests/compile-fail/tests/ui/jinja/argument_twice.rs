//! Error 17: an argument that is given twice.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | truncate(3, length=4) }}")]
struct Ask {
    text: String,
}

fn main() {}
