//! Error 17: a field of another kind as an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | indent(width) | truncate(text) }}")]
struct Ask {
    text: String,
    width: usize,
}

fn main() {}
