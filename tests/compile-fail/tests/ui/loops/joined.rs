//! Error 17: a loop over the text of a list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs | join(', ')>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
