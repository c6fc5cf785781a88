//! Error 23: a row with a field of the system message.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    system = "You work for <product>.",
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_system_field.jsonl"
)]
struct Triage {
    #[prompt(trusted)]
    product: String,
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
