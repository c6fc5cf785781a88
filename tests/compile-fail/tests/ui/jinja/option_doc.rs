//! Error 15: an `Option` in a slot, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {{ note }}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    note: Option<String>,
}

fn main() {}
