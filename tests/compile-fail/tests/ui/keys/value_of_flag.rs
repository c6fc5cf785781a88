//! Error 4: a value of a key that takes none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<context>")]
struct Ask {
    #[prompt(trusted = true)]
    context: String,
}

fn main() {}
