//! Error 3: an `<if>` without a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if>a</if><context>")]
struct Ask {
    context: String,
}

fn main() {}
