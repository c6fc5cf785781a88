//! Error 22: media in the system message, in a file.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(file = "prompts/in_system.prompt")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
