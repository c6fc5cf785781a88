//! Error 7: a field in the system message that is not trusted, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = r#"{"question": "<context>"}"#, user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
