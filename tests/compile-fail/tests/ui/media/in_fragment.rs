//! Error 22: media in a fragment.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(fragment = "See <picture>")]
struct Part {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
