//! A list of messages in YAML.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/messages_yaml.prompt")]
struct Ask {
    question: String,
}

fn main() {}
