//! Error 17: an argument too many, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context | trim(\"a\")> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
