//! A text beside `or` and a comparison is always true. `name or 'text'` alone is a default value.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{% if mode or 'none' %}{{ mode }}: {% endif %}{% if mode == 'brief' or 'short' %}Be brief. {% endif %}{{ question }}"
)]
struct Ask {
    mode: String,
    question: String,
}

fn main() {}
