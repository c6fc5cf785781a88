//! Error 4: a role in front matter after which the model does not answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_role_assistant.prompt")]
struct Ask {
    question: String,
}

fn main() {}
