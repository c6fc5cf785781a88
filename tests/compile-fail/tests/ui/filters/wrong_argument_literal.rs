//! Error 17: a filter's argument of another type.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | truncate(\"9\")>")]
struct Ask {
    context: String,
}

fn main() {}
