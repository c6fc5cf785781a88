//! Error 5: an empty doc comment.

use typed_prompt::Prompt;

///
///
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
