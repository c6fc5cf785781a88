//! Error 22: media with a format of text, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/format.prompt", format = alpaca)]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
