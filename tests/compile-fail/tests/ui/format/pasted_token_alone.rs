//! Error 8: control tokens in a prompt of one message without a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<|im_start|>user\n<question>")]
struct Ask {
    question: String,
}

fn main() {}
