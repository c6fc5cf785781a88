//! Error 17: more arguments than a filter takes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | upper(2) }}")]
struct Ask {
    text: String,
}

fn main() {}
