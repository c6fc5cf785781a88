//! Error 15: an `Option` in a plain slot, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context> and so on.
    ")]
struct Ask {
    context: Option<String>,
}

fn main() {}
