//! Kinds: a string is neither smaller nor larger than a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if text > 1 %}many{% endif %}")]
struct Ask {
    text: String,
}

fn main() {}
