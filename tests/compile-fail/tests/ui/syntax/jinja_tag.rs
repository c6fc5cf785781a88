//! Error 12: a tag of another template language.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{% foreach doc in docs %}{{ doc }}{% endfor %}{{ question }}",
    syntax = "jinja"
)]
struct Ask {
    docs: Vec<String>,
    question: String,
}

fn main() {}
