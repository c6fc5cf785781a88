//! Error 23: answers of another type than the output.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    examples = "prompts/examples_output_type.jsonl",
    output = Vec<u8>
)]
struct Triage {
    ticket: String,
}

fn main() {}
