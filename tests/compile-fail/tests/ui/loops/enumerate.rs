//! Error 16: `enumerate` around the list of a loop.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for i, doc in enumerate(docs)><i>. <doc></for>")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
