//! Error 4: a filter that does not exist, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context | uper> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
