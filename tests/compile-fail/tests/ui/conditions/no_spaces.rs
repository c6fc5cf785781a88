//! Error 3: a `>` that ends the tag, where a comparison was meant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<count> items<if count>3>, too many</if>")]
struct Ask {
    count: u32,
}

fn main() {}
