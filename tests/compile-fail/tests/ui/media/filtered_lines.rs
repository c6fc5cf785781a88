//! Error 22: media in a filter, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "
        First line.
        Second: <picture | trim> and so on.
    ")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
