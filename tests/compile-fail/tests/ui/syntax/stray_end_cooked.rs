//! Error 3: an end without a beginning, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t</if> <context> \
        and no more")]
struct Ask {
    context: String,
}

fn main() {}
