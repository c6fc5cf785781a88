//! Error 22: media as an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<names | join(picture)>")]
struct Ask {
    names: Vec<String>,
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
