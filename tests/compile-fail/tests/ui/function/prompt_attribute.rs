//! Keys in an attribute of their own.

#[typed_prompt::function]
#[prompt(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> bool;

fn main() {}
