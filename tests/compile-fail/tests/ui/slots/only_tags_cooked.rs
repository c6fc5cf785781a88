//! Error 10: tags where a slot is meant, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context>here</context> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
