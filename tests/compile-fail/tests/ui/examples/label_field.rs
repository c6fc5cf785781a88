//! Error 23: a value of a field that is not a label of its type.

use typed_prompt::{Label, Prompt};

#[derive(Label)]
enum Level {
    Low,
    High,
}

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    assistant = "<level>",
    examples = "prompts/examples_label_field.jsonl"
)]
struct Triage {
    ticket: String,
    #[prompt(answer)]
    level: Level,
}

fn main() {}
