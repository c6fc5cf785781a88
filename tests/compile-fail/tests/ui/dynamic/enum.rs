//! A run-time template is one template.

use typed_prompt::{Fields, Prompt};

#[derive(Prompt, Fields)]
enum Step {
    #[prompt(user = "Plan <goal>.")]
    Plan { goal: String },
    #[prompt(user = "Go on.")]
    Go,
}

fn main() {}
