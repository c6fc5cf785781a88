//! A comparison with one `=`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{% if count = 1 %}One: {% endif %}{{ question }}",
    syntax = "jinja"
)]
struct Ask {
    count: usize,
    question: String,
}

fn main() {}
