//! Error 2: a `set` that is not used, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {% set loud = text | upper %}{{ text }}
    "
)]
struct Ask {
    text: String,
}

fn main() {}
