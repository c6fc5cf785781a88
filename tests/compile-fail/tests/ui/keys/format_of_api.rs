//! Number 4: the name of a model behind a chat API, which needs no format.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "<question>", format = claude::sonnet)]
struct Ask {
    question: String,
}

fn main() {}
