//! Error 1: a slot without a field, in a `doc` attribute.

use typed_prompt::Prompt;

#[doc = " Use\t<contxt>."]
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    context: String,
}

fn main() {}
