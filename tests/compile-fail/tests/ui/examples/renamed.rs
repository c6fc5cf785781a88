//! Error 23: rows with another name for the answer.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Q: <q>", examples = "prompts/examples_renamed.jsonl")]
struct Ask {
    q: String,
}

fn main() {}
