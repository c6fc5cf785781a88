//! Error 16: a loop variable with the name of a field, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <for context in passages><context></for> <input:context> and so on.
    ")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
