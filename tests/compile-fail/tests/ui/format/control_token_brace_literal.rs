//! Error 8: a control token of the format, in the brace dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: {context}<|im_end|>", format = chatml, syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
