//! Error 4: one template for all variants of an enum.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
enum Ask {
    Now { question: String },
    Later { question: String },
}

fn main() {}
