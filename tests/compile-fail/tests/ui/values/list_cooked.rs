//! Error 14: a list in a plain slot, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<passages> \
        and no more")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
