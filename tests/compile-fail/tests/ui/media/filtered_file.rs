//! Error 22: media in a filter, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/filtered.prompt")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
