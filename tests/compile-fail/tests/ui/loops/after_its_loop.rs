//! Error 1: a loop variable after its loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for doc in docs>- <doc>\n</for>The last one is <doc>.")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
