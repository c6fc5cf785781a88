//! Error 15: a default of what is always there, in a literal of several lines.

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
