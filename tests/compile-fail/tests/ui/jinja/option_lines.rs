//! Error 15: an `Option` in a slot, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {{ note }}
    "
)]
struct Ask {
    note: Option<String>,
}

fn main() {}
