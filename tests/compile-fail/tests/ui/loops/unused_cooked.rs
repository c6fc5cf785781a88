//! Error 16: a loop variable that is not used, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "\"\u{c9}tude\"\t<for p in passages>-</for> \
        and no more")]
struct Ask {
    passages: Vec<String>,
}

fn main() {}
