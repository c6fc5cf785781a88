//! Error 16: a loop over a string, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <for p in context><p></for> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
