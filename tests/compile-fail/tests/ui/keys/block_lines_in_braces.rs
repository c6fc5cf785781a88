//! Only the angle dialect has lines of block tags.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(keep_block_lines, syntax = "brace", user = "Hi {text}")]
struct Ask {
    text: String,
}

fn main() {}
