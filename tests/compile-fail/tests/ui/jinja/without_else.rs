//! Kinds: a sum with what may be nothing.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text + ('!' if loud) }}")]
struct Ask {
    text: String,
    loud: bool,
}

fn main() {}
