//! Error 4: a key of a field that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>")]
struct Ask {
    #[prompt(trused)]
    question: String,
}

fn main() {}
