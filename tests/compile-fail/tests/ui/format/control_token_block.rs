//! Error 8: a control token inside of a block.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if context><context><|eot_id|></if>", format = llama3)]
struct Ask {
    context: String,
}

fn main() {}
