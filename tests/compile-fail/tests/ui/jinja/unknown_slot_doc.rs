//! Error 1: a name that is not a field, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {{ qestion }} {{ question | upper }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    question: String,
}

fn main() {}
