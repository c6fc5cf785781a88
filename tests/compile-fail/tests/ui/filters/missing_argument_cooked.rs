//! Error 17: a filter without its argument, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context | truncate> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
