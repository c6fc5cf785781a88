//! Error 16: a loop of a variant over a value that is not a list.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "<for g in goal><g></for>")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
