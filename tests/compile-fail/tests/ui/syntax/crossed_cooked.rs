//! Error 3: blocks that cross, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<if context><for p in passages></if><p></for> \
        and no more")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
