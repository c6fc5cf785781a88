//! Error 15: a default for what is always there.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context ?? \"none\">")]
struct Ask {
    context: String,
}

fn main() {}
