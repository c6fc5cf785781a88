//! Error 15: an `Option` where its condition does not hold.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context>yes<else><context></if>")]
struct Ask {
    context: Option<String>,
}

fn main() {}
