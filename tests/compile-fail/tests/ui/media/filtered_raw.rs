//! Error 22: media in a filter, in a raw literal.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = r#"{"question": "<picture | trim>"}"#)]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
