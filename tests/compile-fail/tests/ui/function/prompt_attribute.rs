//! Keys in a separate attribute.

#[typed_prompt::function]
#[prompt(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> bool;

fn main() {}
