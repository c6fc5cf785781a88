//! Error 17: more arguments than a filter takes, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {{ text | upper(2) }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    text: String,
}

fn main() {}
