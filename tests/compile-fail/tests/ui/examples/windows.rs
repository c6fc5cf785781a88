//! Error 23: with a byte order mark, Windows line breaks and empty lines.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket> (<urgency>)",
    assistant = "<label>",
    examples = "prompts/examples_windows.jsonl"
)]
struct Triage {
    ticket: String,
    urgency: u8,
    #[prompt(answer)]
    label: String,
}

fn main() {}
