//! Error 5: a role without words.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system></system><user><context></user>")]
struct Ask {
    context: String,
}

fn main() {}
