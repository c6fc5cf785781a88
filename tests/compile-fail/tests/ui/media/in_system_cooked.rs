//! Error 22: media in the system message, in a literal with escapes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "\"\u{c9}tude\"\t<picture> \
        and no more", user = "Go.")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
