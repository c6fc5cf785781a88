//! Error 4: a filter that does not exist, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {{ text | uper }}
    "
)]
struct Ask {
    text: String,
}

fn main() {}
