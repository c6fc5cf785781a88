//! Error 3: a block of a variant that is never closed.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <if goal><goal>")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
