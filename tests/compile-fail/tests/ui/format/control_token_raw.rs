//! Error 8: a control token of the format, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<context><|eot_id|>"}"#, format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
