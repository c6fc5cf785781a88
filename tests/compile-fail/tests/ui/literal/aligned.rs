//! A text that begins beside its key, and whose lines are aligned with the code.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "You review code.
              - Name the line.

              Be brief.",
    user = "<diff>"
)]
struct Review {
    diff: String,
}

fn main() {}
