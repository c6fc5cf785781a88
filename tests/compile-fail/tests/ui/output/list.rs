//! Error 21: a list of answers that cannot be deserialized.

use typed_prompt::Prompt;

struct Answer;

#[derive(Prompt)]
#[prompt(user = "<question>", output = Vec<Answer>)]
struct Ask {
    question: String,
}

fn main() {}
