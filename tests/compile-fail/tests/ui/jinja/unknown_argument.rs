//! Error 17: a name that is not an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | truncate(lenght=3) }}")]
struct Ask {
    text: String,
}

fn main() {}
