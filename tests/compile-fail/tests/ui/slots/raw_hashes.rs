//! Error 1: a slot without a field, behind many hashes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r###"a "## b <contxt>"###)]
struct Ask {
    context: String,
}

fn main() {}
