//! Kinds: a string is never equal to a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if text == 1 %}one{% endif %}")]
struct Ask {
    text: String,
}

fn main() {}
