//! `from` on an enum.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(from)]
enum Step {
    #[prompt(user = "<question>")]
    Plan { question: String },
}

fn main() {}
