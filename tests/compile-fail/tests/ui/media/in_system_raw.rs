//! Error 22: media in the system message, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = r#"{"question": "<picture>"}"#, user = "Go.")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
