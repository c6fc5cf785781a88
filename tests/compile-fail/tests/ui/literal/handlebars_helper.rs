//! A function of Semantic Kernel with a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Facts: {{recall $question}} <question>")]
struct Ask {
    question: String,
}

fn main() {}
