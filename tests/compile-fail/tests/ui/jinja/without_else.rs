//! Kinds: a sum with a value that may be undefined.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text + ('!' if loud) }}")]
struct Ask {
    text: String,
    loud: bool,
}

fn main() {}
