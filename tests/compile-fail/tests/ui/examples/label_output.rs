//! Error 23: answers that are not labels of the output type.

use typed_prompt::{Label, Prompt};

#[derive(Label, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Category {
    Bug,
    FeatureRequest,
}

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    examples = "prompts/examples_label_output.jsonl",
    output = Category
)]
struct Triage {
    ticket: String,
}

fn main() {}
