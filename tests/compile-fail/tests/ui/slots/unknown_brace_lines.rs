//! Error 1: a slot of the brace dialect without a field, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: {contxt} and so on.
    ", syntax = "brace")]
struct Ask {
    context: String,
}

fn main() {}
