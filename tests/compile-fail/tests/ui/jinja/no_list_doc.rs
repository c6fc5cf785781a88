//! Error 16: a loop over a string, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {% for word in text %}{{ word }}{% endfor %}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    text: String,
}

fn main() {}
