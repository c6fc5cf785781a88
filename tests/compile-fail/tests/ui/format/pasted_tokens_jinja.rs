//! Error 8: control tokens of a family in a prompt without a format, in the Jinja dialect.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(syntax = "jinja", system = "Be kind.", user = "[INST] {{ question }} [/INST]")]
struct Ask {
    question: String,
}

fn main() {}
