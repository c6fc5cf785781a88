//! Tags of the angle dialect in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", template = "<system>Be kind.</system><user>{{ question }}</user>")]
struct Ask {
    question: String,
}

fn main() {}
