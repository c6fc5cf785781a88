//! Error 10: tags where a slot is meant, in a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "<goal>this</goal>")]
    Plan { goal: String },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
