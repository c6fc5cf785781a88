//! Error 22: media in the system message, in a literal of several lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "
        First line.
        Second: <picture> and so on.
    ", user = "Go.")]
struct Ask {
    #[prompt(media)]
    picture: typed_prompt::Media,
}

fn main() {}
