//! Error 15: an `Option` in a plain slot, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context> \
        and no more")]
struct Ask {
    context: Option<String>,
}

fn main() {}
