//! Error 21: an output type that no answer can be read into.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/front_output.prompt")]
struct Ask {
    question: String,
}

struct Answer;

fn main() {}
