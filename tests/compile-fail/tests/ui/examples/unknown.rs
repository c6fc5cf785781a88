//! Error 23: a row with a name that is not a field.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_unknown.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
