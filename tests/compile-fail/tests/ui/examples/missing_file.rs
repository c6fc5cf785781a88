//! Error 13: a file of rows that does not exist.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_misssing.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
