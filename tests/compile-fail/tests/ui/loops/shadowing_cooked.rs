//! Error 16: a loop variable with the name of a field, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<for context in passages><context></for> <input:context> \
        and no more")]
struct Ask {
    context: String,
    passages: Vec<String>,
}

fn main() {}
