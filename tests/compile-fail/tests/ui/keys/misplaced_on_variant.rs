//! Error 4: a variant cannot have a separate output.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(user = "Go.", output = String)]
    Go,
}

fn main() {}
