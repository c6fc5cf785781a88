//! Error 3: two `<else>` of one block.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context>a<else>b<else>c</if>")]
struct Ask {
    context: String,
}

fn main() {}
