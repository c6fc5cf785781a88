//! Error 22: media in the system message of a variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(system = "See <picture>", user = "Go.")]
    Plan { picture: typed_prompt::Media },
    #[prompt(user = "Act.")]
    Act,
}

fn main() {}
