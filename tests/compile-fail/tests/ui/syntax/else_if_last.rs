//! Error 3: an `<else if>` after the `<else>`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context>a<else>b<else if more>c</if>")]
struct Ask {
    context: String,
    more: bool,
}

fn main() {}
