//! Error 4: a filter of Jinja that takes items of a list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs | first(3)>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
