//! Error 3: blocks that cross.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <if context><for p in passages></if><p></for>")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
