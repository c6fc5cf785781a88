//! Error 17: a filter of each item at the list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for x in xs | sort | indent(2)>- <x>\n</for>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
