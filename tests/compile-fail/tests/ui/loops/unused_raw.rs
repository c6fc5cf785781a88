//! Error 16: a loop variable that is not used, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<for p in passages>-</for>"}"#)]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
