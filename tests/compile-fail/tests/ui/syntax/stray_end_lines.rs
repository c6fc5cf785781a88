//! Error 3: an end without a beginning, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: </if> <context> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
