//! The path of a file instead of the text of a message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "prompts/system.txt", user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
