//! Error 17: an argument of the wrong type, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context | truncate(\"200\")> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
