//! Error 22: a string with `#[prompt(media)]`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "See <picture>")]
struct Ask {
    #[prompt(media)]
    picture: String,
}

fn main() {}
