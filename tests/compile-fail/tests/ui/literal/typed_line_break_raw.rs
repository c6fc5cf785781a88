//! A line break that is typed as an escape in a raw string.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r"Answer:\n\n<question>")]
struct Ask {
    question: String,
}

fn main() {}
