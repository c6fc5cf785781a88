//! Error 15: an `Option` in a plain slot of a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal>")]
    Plan { goal: Option<String> },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
