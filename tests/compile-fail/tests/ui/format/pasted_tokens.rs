//! Error 8: control tokens of a family in a prompt without a format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be kind.", user = "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\n<question><|im_end|>")]
struct Ask {
    question: String,
}

fn main() {}
