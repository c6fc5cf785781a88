//! A list of structs of the program as examples.

use typed_prompt::Prompt;

struct Shot {
    question: String,
    answer: String,
}

#[derive(Prompt)]
#[prompt(user = "Classify <text>.")]
struct Ask {
    #[prompt(examples)]
    shots: Vec<Shot>,
    text: String,
}

fn main() {}
