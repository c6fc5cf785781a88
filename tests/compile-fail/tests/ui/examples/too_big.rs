//! Error 23: a number that its field cannot contain.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_too_big.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
