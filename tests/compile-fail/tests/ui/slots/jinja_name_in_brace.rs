//! A slot of Jinja for a field in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "{{ context }}\nQuestion: {question}", syntax = "brace")]
struct Ask {
    context: String,
    question: String,
}

fn main() {}
