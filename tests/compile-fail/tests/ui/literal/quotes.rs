//! Quotes of a filter argument end the string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Tags: <tags | join(", ")>\nQuestion: <question>")]
struct Ask {
    tags: Vec<String>,
    question: String,
}

fn main() {}
