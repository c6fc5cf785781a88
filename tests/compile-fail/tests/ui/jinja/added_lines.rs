//! Kinds: a string and a number, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {{ text + 1 }}
    "
)]
struct Ask {
    text: String,
}

fn main() {}
