//! Error 6: a system message after a user message, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal>", system = "Be brief.")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
