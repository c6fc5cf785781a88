//! Error 23: more mistakes than are reported.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_many.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
