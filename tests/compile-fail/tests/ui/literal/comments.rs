//! Comments and statements of other languages, which would be sent.

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

#[derive(Prompt)]
#[prompt(user = "{% include 'rules.txt' %} <q>")]
struct Include {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{% set x = 3 %} {q}")]
struct Set {
    q: String,
}

fn main() {}
