//! Error 17: a filter of a variant without its argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Plan <goal | truncate>")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
