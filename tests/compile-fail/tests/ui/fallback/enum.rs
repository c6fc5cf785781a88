//! A wrong variant is the only error.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <gaol>.")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {
    for step in [Step::Plan { goal: String::new() }, Step::Act] {
        step.messages().unwrap();
    }
}
