//! Error 17: an argument of another kind.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | truncate('long') }}")]
struct Ask {
    text: String,
}

fn main() {}
