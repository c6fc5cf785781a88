//! Error 16: a loop over a string, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<for p in context><p></for> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
