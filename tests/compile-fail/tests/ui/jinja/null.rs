//! Error 1: `null` in the dialect jinja; Python has `none`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ q }}{% if due == null %} No date.{% endif %}"
)]
struct Ask {
    q: String,
    due: Option<String>,
}

fn main() {}
