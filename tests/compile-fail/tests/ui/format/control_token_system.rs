//! Error 8: a control token of the format, in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "[INST] Be brief.", user = "Go.", format = llama2)]
struct Ask {
}

fn main() {}
