//! The loop of another language.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<foreach x in xs>- <x>\n</foreach>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
