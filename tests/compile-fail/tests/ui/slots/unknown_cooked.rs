//! Error 1: a slot without a field, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<contxt> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
