//! Error 23: examples without a user message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "Hello.",
    examples = "prompts/examples_missing.jsonl"
)]
struct Triage {
 }

fn main() {}
