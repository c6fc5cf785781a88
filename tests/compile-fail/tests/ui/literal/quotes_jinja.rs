//! Quotes of a filter argument end the string, in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ tags | join(", ") }} {{ question }}")]
struct Ask {
    tags: Vec<String>,
    question: String,
}

fn main() {}
