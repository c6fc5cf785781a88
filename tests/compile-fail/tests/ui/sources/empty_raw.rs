//! Error 5: an empty template, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#""#)]
struct Ask {
    context: String,
}

fn main() {}
