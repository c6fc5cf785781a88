//! Error 4: a filter that does not exist, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context | uper> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
