//! Kinds: an item of a list has an index.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs['a'] }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
