//! A function whose arguments are the slots and whose return type is the answer, with few-shot examples from a file.

use typed_prompt::{Llm, MockLlm, Prompt};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
enum Label {
    Bug,
    Praise,
}

/// Finds out what a ticket is about.
#[typed_prompt::function(
    system = "You sort tickets for <product>.",
    examples = "examples/prompts/tickets.jsonl",
    user = "What is this ticket about? <ticket>"
)]
fn triage(#[prompt(trusted)] product: &str, ticket: &str) -> Label;

fn main() -> typed_prompt::Result<()> {
    let prompt = triage("Acme", "It crashes at night.");
    println!("{}", prompt.messages()?.preview());
    let llm = MockLlm::new(["\"Bug\""]);
    let label = pollster::block_on(llm.call(prompt))?;
    println!("{label:?}");
    Ok(())
}
