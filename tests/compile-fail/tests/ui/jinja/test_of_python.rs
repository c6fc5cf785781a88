//! Error 4: a test in the notation of Python.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if note is not None %}Note: {{ note }}{% endif %}")]
struct Ask {
    note: Option<String>,
}

fn main() {}
