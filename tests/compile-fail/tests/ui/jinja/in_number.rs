//! Kinds: nothing is in a number.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if 1 in count %}yes{% endif %}")]
struct Ask {
    count: u32,
}

fn main() {}
