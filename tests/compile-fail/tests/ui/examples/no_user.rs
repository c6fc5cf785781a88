//! Error 23: examples where nothing is asked.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "Hello.",
    examples = "prompts/examples_missing.jsonl"
)]
struct Triage {
 }

fn main() {}
