//! Error 11: a variant whose fields have no names.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan.")]
    Plan(String),
}

fn main() {}
