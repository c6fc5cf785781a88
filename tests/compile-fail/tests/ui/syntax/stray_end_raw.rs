//! Error 3: an end without a beginning, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "</if> <context>"}"#)]
struct Ask {
    context: String,
}

fn main() {}
