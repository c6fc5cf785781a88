//! Error 23: a field of an answer that is not a label of its type.

use typed_prompt::{Fields, Label, Prompt};

#[derive(Label, serde::Deserialize, schemars::JsonSchema)]
enum Level {
    Low,
    High,
}

#[derive(Fields, serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    reason: String,
    level: Level,
}

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    examples = "prompts/examples_label_of_struct.jsonl",
    output = Vec<Answer>
)]
struct Triage {
    ticket: String,
}

fn main() {}
