//! Error 7: a field in the system message that is not trusted, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "\"\u{c9}tude\"\t<context> \
        and no more", user = "Go.")]
struct Ask {
    context: String,
}

fn main() {}
