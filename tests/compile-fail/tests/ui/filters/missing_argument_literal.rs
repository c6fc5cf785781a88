//! Error 17: a filter without its argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | truncate>")]
struct Ask {
    context: String,
}

fn main() {}
