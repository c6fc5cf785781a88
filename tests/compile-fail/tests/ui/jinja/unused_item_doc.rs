//! Error 16: a loop variable that is not used, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: {% for doc in docs %}-{% endfor %}
#[derive(Prompt)]
#[prompt(syntax = "jinja", doc)]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
