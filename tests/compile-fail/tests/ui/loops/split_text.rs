//! Error 4: a text that is split in a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for part in text | split(',')>- <part>\n</for>")]
struct Ask {
    text: String,
}

fn main() {}
