//! Error 1: the end of a loop, as other languages have it.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt("<for doc in docs><if loop.index > 3><break></if><doc></for>")]
struct Ask<'a> {
    docs: Vec<&'a str>,
}

fn main() {}
