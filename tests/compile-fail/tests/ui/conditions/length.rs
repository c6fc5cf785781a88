//! Error 4: the length of a list in a condition.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if docs | length>Documents:</if><for doc in docs><doc></for>")]
struct Ask {
    docs: Vec<String>,
}

fn main() {}
