//! Error 17: an argument too many, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context | trim(\"a\")> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
