//! Error 2: a field of a variant that has no slot.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal>.")]
    Plan { goal: String, depth: u8 },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
