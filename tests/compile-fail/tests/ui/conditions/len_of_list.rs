//! A function in a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if len(xs) > 0><xs | join(\", \")></if>")]
struct Ask {
    xs: Vec<String>,
}

fn main() {}
