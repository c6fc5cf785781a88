//! Error 2: a `with` that is not used.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% with loud = text | upper %}{{ text }}{% endwith %}")]
struct Ask {
    text: String,
}

fn main() {}
