//! Error 1: the index of a loop without `loop.`.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for passage in passages>[<index>] <passage>\n</for>")]
struct Cite {
    passages: Vec<String>,
}

fn main() {}
