//! Error 1: a name that is not a field, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "
        First line, with an escape: \t\u{c9}.
        {{ qestion }} {{ question | upper }}
    "
)]
struct Ask {
    question: String,
}

fn main() {}
