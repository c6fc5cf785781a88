//! Error 3: blocks of the Jinja dialect that cross.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{% if long %}{% for doc in docs %}{{ doc }}{% endif %}{% endfor %}{{ question }}",
    syntax = "jinja"
)]
struct Ask {
    long: bool,
    docs: Vec<String>,
    question: String,
}

fn main() {}
