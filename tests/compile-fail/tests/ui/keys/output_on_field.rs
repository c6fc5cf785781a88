//! The answer as a field, as in DSPy.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Question: <question>")]
struct Ask {
    question: String,
    #[prompt(output)]
    answer: Vec<String>,
}

fn main() {}
