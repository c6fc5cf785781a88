//! Error 23: an item of a list in an answer that is not a label of its type.

use typed_prompt::{Fields, Label, Prompt};

#[derive(Label, serde::Deserialize, schemars::JsonSchema)]
enum Tag {
    Bug,
    Docs,
}

#[derive(Fields, serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    reason: String,
    tags: Vec<Tag>,
}

#[derive(Prompt)]
#[prompt(
    user = "<ticket>",
    examples = "prompts/examples_label_of_list.jsonl",
    output = Answer
)]
struct Triage {
    ticket: String,
}

fn main() {}
