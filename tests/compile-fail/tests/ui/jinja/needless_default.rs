//! Error 15: a default for a value that is never `None`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ note | default('none') }}")]
struct Ask {
    note: String,
}

fn main() {}
