//! Error 13: a template file of a variant that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(file = "prompts/rihgt.prompt")]
    Plan { question: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
