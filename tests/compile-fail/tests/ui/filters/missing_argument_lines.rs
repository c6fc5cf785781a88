//! Error 17: a filter without its argument, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context | truncate> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
