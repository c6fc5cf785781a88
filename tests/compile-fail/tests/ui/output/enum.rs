//! Error 21: an answer of an enum that cannot be deserialized.

use typed_prompt::Prompt;

struct Answer;

#[derive(Prompt)]
#[prompt(output = Answer)]
enum Step {
    #[prompt(user = "Plan.")]
    Plan,
}

fn main() {}
