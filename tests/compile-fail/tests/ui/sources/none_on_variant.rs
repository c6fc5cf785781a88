//! Error 5: a variant without a template.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan.")]
    Plan,
    Act,
}

fn main() {}
