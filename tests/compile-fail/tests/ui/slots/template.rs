//! Error 1: a slot without a field, in a literal with roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<system>Be brief.</system><user><contxt></user>")]
struct Ask {
    context: String,
}

fn main() {}
