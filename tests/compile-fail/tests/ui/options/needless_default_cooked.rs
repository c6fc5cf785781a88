//! Error 15: a default for a value that is never `None`, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context ?? \"none\"> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
