//! Error 22: media with a format of text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <picture>", format = alpaca)]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
