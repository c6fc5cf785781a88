//! Error 14: a whole prompt where a fragment is meant.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Hello")]
struct Inner;

#[derive(Prompt)]
#[prompt(user = "Use <inner>")]
struct Ask {
    inner: Inner,
}

fn main() {}
