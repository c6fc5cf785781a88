//! Error 22: media as a default.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<note ?? picture>")]
struct Ask {
    note: Option<String>,
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
