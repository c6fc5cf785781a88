//! Error 8: two control tokens, and both are reported.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<|im_start|>user <context><|im_end|>", format = chatml)]
struct Ask {
    context: String,
}

fn main() {}
