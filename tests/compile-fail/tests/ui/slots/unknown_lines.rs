//! Error 1: a slot without a field, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <contxt> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
