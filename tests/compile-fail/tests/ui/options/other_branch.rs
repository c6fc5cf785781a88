//! Error 15: an `Option` in the branch in which it is `None`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context>yes<else><context></if>")]
struct Ask {
    context: Option<String>,
}

fn main() {}
