//! Error 8: a control token of the format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context><|eot_id|>", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
