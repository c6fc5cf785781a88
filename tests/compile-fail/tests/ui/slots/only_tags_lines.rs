//! Error 10: tags where a slot is meant, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context>here</context> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
