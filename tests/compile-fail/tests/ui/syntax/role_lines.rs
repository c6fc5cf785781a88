//! Lines that begin a message in other tools, in a literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(template = "system: Be kind.\nuser: <question>")]
struct Ask {
    question: String,
}

fn main() {}
