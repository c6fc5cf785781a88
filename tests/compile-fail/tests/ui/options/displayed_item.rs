//! Error 15: an optional item of a list with the filter `display`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for score in scores><score | display>\n</for>")]
struct Scores {
    scores: Vec<Option<u8>>,
}

fn main() {}
