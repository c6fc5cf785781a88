//! Front matter of a variant's file that concerns the whole enum.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(file = "prompts/front_variant.prompt")]
    Ask { question: String },
    #[prompt(user = "Go on.")]
    Go,
}

fn main() {}
