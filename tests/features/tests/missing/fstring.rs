//! `syntax = "fstring"` without the feature `fstring`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    syntax = "fstring",
    system = "Answer as {{\"answer\": \"…\"}}.",
    user = "Question: {question}"
)]
struct Ask {
    question: String,
}

fn main() {}
