//! Error 3: the same in another message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>You help <user>.</system><user>Hi!</user>")]
struct Ask {
    #[prompt(trusted)]
    user: String,
}

fn main() {}
