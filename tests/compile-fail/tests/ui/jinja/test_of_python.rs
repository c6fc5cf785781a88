//! Error 4: a test as Python writes it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if note is not None %}Note: {{ note }}{% endif %}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
