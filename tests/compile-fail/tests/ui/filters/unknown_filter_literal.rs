//! Error 4: a filter that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | uper>")]
struct Ask {
    context: String,
}

fn main() {}
