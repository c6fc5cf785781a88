//! Error 1: an unknown name in a condition, in a loop and in an argument.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<if contxt>yes</if><for p in pasages><p></for><question | join(seprator)>")]
struct Ask {
    context: String,
    passages: Vec<String>,
    question: Vec<String>,
    separator: String,
}

fn main() {}
