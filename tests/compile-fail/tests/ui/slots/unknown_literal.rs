//! Error 1: a slot without a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <contxt>")]
struct Ask {
    context: String,
}

fn main() {}
