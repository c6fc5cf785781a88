//! Error 3: a block that is never closed, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <if context>Context: <context> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
