//! Error 8: control tokens of another family than that of the format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "[INST] <question>", format = llama3)]
struct Ask {
    question: String,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "<|im_start|>user\n{{ question }}<|eot_id|>", format = mistral_v3)]
struct AskAgain {
    question: String,
}

fn main() {}
