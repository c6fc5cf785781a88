//! Error 2: a field that only a row has.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    assistant = "<label>",
    examples = "prompts/examples_unused.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
