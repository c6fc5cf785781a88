//! Error 1: a slot without a field of its variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal>.")]
    Plan { goal: String },
    #[prompt(user = "Act on <goal>.")]
    Act { plan: String },
}

fn main() {}
