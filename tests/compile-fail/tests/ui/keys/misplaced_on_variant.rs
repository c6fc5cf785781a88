//! Error 4: a variant has no output of its own.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Go.", output = String)]
    Go,
}

fn main() {}
