//! Kinds: a list in a difference.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs - 1 }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
