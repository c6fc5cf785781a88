//! Error 4: messages belong to the variants of an enum.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief.")]
enum Step {
    #[prompt(user = "Go.")]
    Go,
}

fn main() {}
