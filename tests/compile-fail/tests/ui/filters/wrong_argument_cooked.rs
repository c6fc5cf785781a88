//! Error 17: a filter's argument of another type, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<context | truncate(\"9\")> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
