//! Error 22: media in a filter, in a doc comment.

use typed_prompt::Prompt;

/// First line.
///
/// Third: <picture | trim> and so on.
#[derive(Prompt)]
#[prompt(doc)]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
