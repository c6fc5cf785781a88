//! Error 16: a loop over a string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{% for word in text %}{{ word }}{% endfor %}")]
struct Ask {
    text: String,
}

fn main() {}
