//! Error 3: a slot that cannot be read, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context | join(\"a\" \"b\")> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
