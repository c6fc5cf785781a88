//! A fragment has no turns.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    fragment = "<ticket> <urgency> <label>",
    examples = "prompts/right_examples.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    label: String,
}

fn main() {}
