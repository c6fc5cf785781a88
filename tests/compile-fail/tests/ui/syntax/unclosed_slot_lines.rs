//! Error 3: a slot that is never closed, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <input:context, please and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
