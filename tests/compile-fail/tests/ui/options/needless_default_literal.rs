//! Error 15: a default for a value that is never `None`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context ?? \"none\">")]
struct Ask {
    context: String,
}

fn main() {}
