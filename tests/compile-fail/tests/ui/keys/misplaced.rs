//! Error 4: keys that belong elsewhere.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", trusted)]
struct Ask {
    #[prompt(user = "<question>")]
    question: String,
}

fn main() {}
