//! The `else if` of another language.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "{% if long %}Long: {% else if short %}Short: {% endif %}{{ question }}",
    syntax = "jinja"
)]
struct Ask {
    long: bool,
    short: bool,
    question: String,
}

fn main() {}
