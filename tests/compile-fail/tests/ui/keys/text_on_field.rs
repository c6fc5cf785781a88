//! Error 4: the text of the prompt on a field, which is one error.

use typed_prompt::Prompt;

#[derive(Prompt)]
struct Ask {
    #[prompt(user = "<question>")]
    question: String,
}

fn main() {}
