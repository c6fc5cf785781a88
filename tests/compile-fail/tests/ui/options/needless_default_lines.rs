//! Error 15: a default for a value that is never `None`, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context ?? \"none\"> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
