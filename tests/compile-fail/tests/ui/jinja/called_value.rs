//! Error 17: a field is not a macro.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text() }}")]
struct Ask {
    text: String,
}

fn main() {}
