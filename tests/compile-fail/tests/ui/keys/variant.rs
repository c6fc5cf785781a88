//! Error 4: a key of a variant that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(usr = "Plan <goal>")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
