//! Error 4: the filter of a `map` does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ docs | map('uper') | join(' ') }}")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
