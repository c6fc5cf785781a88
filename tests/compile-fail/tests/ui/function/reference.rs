//! A function that returns a reference.

#[typed_prompt::function(user = "Classify <ticket>.")]
fn triage(ticket: &str) -> &str;

fn main() {}
