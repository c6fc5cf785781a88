//! Error 7: a file that renders a user's text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "{% include 'prompts/in_system.jinja' %}",
    user = "Go.",
    syntax = "jinja"
)]
struct Ask {
    name: String,
}

fn main() {}
