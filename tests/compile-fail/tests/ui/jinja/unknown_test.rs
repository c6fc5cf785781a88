//! Error 4: a test that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% if text is strng %}{{ text }}{% endif %}")]
struct Ask {
    text: String,
}

fn main() {}
