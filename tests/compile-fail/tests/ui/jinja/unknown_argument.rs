//! Error 17: a name of no argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ text | truncate(lenght=3) }}")]
struct Ask {
    text: String,
}

fn main() {}
