//! Error 3: a block that is never closed, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<if context>Context: <context> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
