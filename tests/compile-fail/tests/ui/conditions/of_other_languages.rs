//! Conditions as other languages write them: lists, searches and variants.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if level in ['a', 'b']>x</if><if tags contains 'x'>y</if><if level in tags>z</if><if level == Level::High>!</if>")]
struct Ask {
    level: String,
    tags: Vec<String>,
}

fn main() {}
