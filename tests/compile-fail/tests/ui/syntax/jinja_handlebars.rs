//! Error 12: Handlebars, as in Dotprompt files.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{{#each docs}}{{this}}{{/each}} {{ question }}",
    syntax = "jinja"
)]
struct Ask {
    docs: Vec<String>,
    question: String,
}

fn main() {}
