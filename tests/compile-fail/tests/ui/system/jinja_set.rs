//! Error 7: a variable that is computed from a user's text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "{% set greeting = 'Hello ' ~ name %}{{ greeting }}",
    user = "Go.",
    syntax = "jinja"
)]
struct Ask {
    name: String,
}

fn main() {}
