//! Error 12: `+` of escaped text, of which Jinja2 escapes the other side.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "<b>{{ (title | e) + title }}</b>"
)]
struct Ask {
    title: String,
}

fn main() {}
