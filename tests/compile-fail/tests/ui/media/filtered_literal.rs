//! Error 22: media in a filter.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Answer this: <picture | trim>")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
