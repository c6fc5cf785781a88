//! Error 15: an `Option` in a filter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | trim>")]
struct Ask {
    context: Option<String>,
}

fn main() {}
