//! Error 15: a default for what is always there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ note | default('none') }}")]
struct Ask {
    note: String,
}

fn main() {}
