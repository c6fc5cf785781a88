//! Error 3: a loop of the Jinja dialect without its end.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{% for doc in docs %}{{ doc }}\n{{ question }}",
    syntax = "jinja"
)]
struct Ask {
    docs: Vec<String>,
    question: String,
}

fn main() {}
