//! A no-break space in the tag of a block.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if question>Q: <question></if>")]
struct Ask {
    question: String,
}

fn main() {}
