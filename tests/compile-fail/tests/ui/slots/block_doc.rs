//! Error 1: a slot without a field, in a doc comment of one block.

use typed_prompt::Prompt;

/** Use <contxt>. */
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
