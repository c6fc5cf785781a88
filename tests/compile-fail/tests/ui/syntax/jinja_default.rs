//! The default of the angle dialect in Jinja.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{{ context ?? \"none\" }} {{ question }}",
    syntax = "jinja"
)]
struct Ask {
    context: Option<String>,
    question: String,
}

fn main() {}
