//! Error 3: a slot that cannot be read, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <context | join(\"a\" \"b\")> and so on.
    ")]
struct Ask {
    context: String,
}

fn main() {}
