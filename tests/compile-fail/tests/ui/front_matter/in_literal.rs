//! Front matter in a literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = "---\nsyntax: jinja\n---\n<question>")]
struct Ask {
    question: String,
}

fn main() {}
