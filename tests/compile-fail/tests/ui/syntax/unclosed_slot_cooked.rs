//! Error 3: a slot that is never closed, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<input:context, please \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
