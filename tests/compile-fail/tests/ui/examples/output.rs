//! Error 23: an answer that is not text.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    examples = "prompts/examples_output.jsonl"
)]
struct Triage {
    ticket: String,
}

fn main() {}
