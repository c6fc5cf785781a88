//! A block of another language that names a list.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<each xs>- item\n</each>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
