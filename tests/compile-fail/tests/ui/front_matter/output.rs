//! Error 21: an output type without deserialization.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_output.prompt")]
struct Ask {
    question: String,
}

struct Answer;

fn main() {}
