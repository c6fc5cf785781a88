//! Error 7: a field in the system message that is not trusted, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "
        First line.
        Second: <context> and so on.
    ", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
