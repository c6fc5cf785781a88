//! Error 5: a doc comment without words.

use typed_prompt::Prompt;

///
///
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
