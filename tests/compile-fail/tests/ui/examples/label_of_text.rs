//! Error 23: the text of the answer's field is not a label of the output type.

use typed_prompt::{Label, Prompt};

#[derive(Label, serde::Deserialize, schemars::JsonSchema)]
enum Level {
    Low,
    High,
}

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    assistant = "<level>",
    examples = "prompts/examples_label_field.jsonl",
    output = Level
)]
struct Triage {
    ticket: String,
    #[prompt(answer)]
    level: String,
}

fn main() {}
