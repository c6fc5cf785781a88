//! Error 7: a field of a variant in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(system = "The goal is <goal>.", user = "Plan.")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
