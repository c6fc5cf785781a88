//! Error 1: a condition of Jinja in the angle dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{% if question %}Answer <question>.{% endif %}")]
struct Ask {
    question: String,
}

fn main() {}
