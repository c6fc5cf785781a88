//! Comments of other languages, which would be sent.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<q> {# todo #}")]
struct Jinja {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{q} <%# todo %>")]
struct Erb {
    q: String,
}

fn main() {}
