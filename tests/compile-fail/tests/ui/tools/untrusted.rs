//! Error 7: tools that a server may have defined, with descriptions that reach the system message.

use typed_prompt::{Prompt, Tool};

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    question: String,
    #[prompt(tools)]
    tools: Vec<Tool>,
}

fn main() {}
