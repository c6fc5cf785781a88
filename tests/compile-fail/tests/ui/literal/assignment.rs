//! A statement of another language that assigns.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<set limit = 3>Give <limit> answers to <question>.")]
struct Ask {
    limit: u8,
    question: String,
}

fn main() {}
