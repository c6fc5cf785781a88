//! Error 17: more arguments than a filter takes, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {{ text | upper(2) }}
    "
)]
struct Ask {
    text: String,
}

fn main() {}
