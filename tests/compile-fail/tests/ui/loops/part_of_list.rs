//! Error 16: a field of the list instead of a field of its item.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<for doc in docs><doc.title>: <docs.text></for>")]
struct Ask {
    docs: Vec<Doc>,
}

struct Doc {
    title: String,
    text: String,
}

fn main() {}
