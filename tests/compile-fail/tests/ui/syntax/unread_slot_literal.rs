//! Error 3: a slot that cannot be read.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <context | join(\"a\" \"b\")>")]
struct Ask {
    context: String,
}

fn main() {}
