//! Error 5: two fields that are the history.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Ask {
    #[prompt(history)]
    before: typed_prompt::History,
    #[prompt(history)]
    after: typed_prompt::History,
}

fn main() {}
