//! A default without quotes.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<note ?? none> <question>")]
struct Ask {
    note: Option<String>,
    question: String,
}

fn main() {}
