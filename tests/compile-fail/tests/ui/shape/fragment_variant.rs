//! Error 11: a variant that is a fragment among prompts.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan.")]
    Plan,
    #[prompt(fragment = "Act.")]
    Act,
}

fn main() {}
