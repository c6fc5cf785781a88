//! Error 22: media in the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Answer this: <picture>", user = "Go.")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
