//! Error 5: an empty role block.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system></system><user><context></user>")]
struct Ask {
    context: String,
}

fn main() {}
