//! The key `model`, which nothing reads.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", model = "gpt-5")]
struct Ask {
    question: String,
}

fn main() {}
