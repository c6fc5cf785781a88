//! Error 14: a prompt in place of a fragment.

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
