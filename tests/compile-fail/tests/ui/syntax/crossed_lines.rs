//! Error 3: blocks that cross, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <if context><for p in passages></if><p></for> and so on.
    ")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
